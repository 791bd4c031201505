/** A table as this page holds it: the newest state, the moment looked at, and everything a person can do. */

import { api, ApiError } from '../lib/api'
import { complain, notices } from '../lib/notices.svelte'
import { router } from '../lib/router.svelte'
import { socketAddress, TableSocket, type Connection } from '../lib/socket'
import type { GameInfo, ServerMessage, Table, Thinking } from '../lib/types'
import type { BoardModule } from '../boards/types'

/** How long a move is sent again while the server cannot be reached. */
const RESEND_MS = 60_000

export interface ServiceProgress {
  done: number
  note: string
  detail?: unknown
}

/** A session of any game, for parts that do not look into the view. */
export type AnySession = Session<any>

export class Session<View = unknown> {
  readonly info: GameInfo
  readonly module: BoardModule<View>
  table: Table<View>
  connection = $state<Connection>('connecting')
  thinking = $state.raw<Thinking | null>(null)
  /** Progress of services that run now, by name. */
  progress = $state.raw<Record<string, ServiceProgress>>({})
  /** What others at the table show of themselves, by seat. */
  presence = $state.raw<Record<number, Record<string, unknown>>>({})
  /** The moment looked at; null is now. */
  at = $state<number | null>(null)
  /** Whether a move is on its way. */
  sending = $state(false)
  /** When the newest table came, for clocks that run here between two messages. */
  received = $state(performance.now())
  #past = $state.raw<{ ply: number; view: View } | null>(null)
  #table: Table<View>
  #socket: TableSocket | null = null
  #onChange: ((before: Table<View>, now: Table<View>) => void)[] = []
  #closed = false

  constructor(table: Table<View>, info: GameInfo, module: BoardModule<View>) {
    this.#table = $state.raw(table)
    this.table = $derived(this.#table)
    this.info = info
    this.module = module
    this.thinking = table.thinking ?? null
  }

  /** The view of the moment looked at. */
  get view(): View {
    if (this.at === null || this.at >= this.table.ply) return this.table.view
    const told = this.module.viewAt?.(this.table.view, this.at, this.table)
    if (told) return told
    return this.#past?.ply === this.at ? this.#past.view : this.table.view
  }

  get live(): boolean {
    return this.at === null
  }

  /** How many actions the moment looked at has. */
  get shownPly(): number {
    return this.at ?? this.table.ply
  }

  get mySeats(): number[] {
    return this.table.seats.filter((seat) => seat.me).map((seat) => seat.seat)
  }

  /** My seat that may act now, if the newest moment is shown and nothing is on its way. */
  get acting(): number | null {
    if (this.table.state !== 'running' || !this.live || this.sending) return null
    return this.myTurn
  }

  /** My seat that may act, whatever is shown. */
  get myTurn(): number | null {
    if (this.table.state !== 'running') return null
    return this.table.to_act.find((seat) => this.table.seats[seat]?.me) ?? null
  }

  get againstBots(): boolean {
    return this.table.seats.every((seat) => seat.kind === 'bot' || seat.me)
  }

  /** The stable id of a seat's role now, such as `black`. */
  role(seat: number): string {
    const told = this.table.view ? this.module.seatName?.(this, seat) : null
    return told ?? this.table.seats[seat]?.name_id ?? String(seat + 1)
  }

  /** Whether hints and analysis may be asked for: where the table allows it, and always once the game is over. */
  get helpful(): boolean {
    return this.table.state === 'over' || (this.table.options?.help ?? this.againstBots)
  }

  has(service: string): boolean {
    return this.info.services.some(({ name }) => name === service)
  }

  /** Opens the socket; from here on the table follows the server. */
  connect(): void {
    this.#socket = new TableSocket({
      open: () => new WebSocket(socketAddress(this.table.id)),
      seq: () => this.table.seq,
      onMessage: (message) => this.#receive(message),
      onConnection: (state) => (this.connection = state),
    })
    addEventListener('online', this.#hurry)
    document.addEventListener('visibilitychange', this.#hurry)
  }

  close(): void {
    this.#closed = true
    this.#socket?.close()
    removeEventListener('online', this.#hurry)
    document.removeEventListener('visibilitychange', this.#hurry)
  }

  /** Calls `listener` after each change of the table. */
  onChange(listener: (before: Table<View>, now: Table<View>) => void): void {
    this.#onChange.push(listener)
  }

  #hurry = (): void => {
    if (document.visibilityState === 'visible') this.#socket?.hurry()
  }

  #receive(message: ServerMessage): void {
    if (message.table) this.accept(message.table as Table<View>)
    if (message.thinking !== undefined) this.thinking = message.thinking
    if (message.progress) {
      const { service, done, note, detail } = message.progress
      this.progress = { ...this.progress, [service]: { done, note, detail } }
    }
    if (message.presence && typeof message.presence.seat === 'number') {
      this.presence = { ...this.presence, [message.presence.seat]: message.presence }
    }
  }

  /** Takes a table from the server, unless a newer one is here already. */
  accept(table: Table<View>): void {
    if (table.seq < this.#table.seq) return
    const before = this.#table
    this.#table = table
    this.received = performance.now()
    this.thinking = table.thinking ?? (table.ply === before.ply ? this.thinking : null)
    if (table.state === 'over') this.thinking = null
    if (this.at !== null && this.at >= table.ply) this.at = null
    for (const listener of this.#onChange) listener(before, table)
  }

  async refresh(): Promise<void> {
    this.accept((await api.table(this.table.id)) as Table<View>)
  }

  /** Goes to the moment after `ply` actions. */
  go(ply: number): void {
    const to = Math.max(0, Math.min(ply, this.table.ply))
    this.at = to === this.table.ply ? null : to
    if (this.at === null || this.module.viewAt?.(this.table.view, to, this.table)) return
    api.viewAt(this.table.id, to).then(
      ({ ply, view }) => {
        if (this.at === ply) this.#past = { ply, view: view as View }
      },
      (error: unknown) => complain(error),
    )
  }

  /**
   * Plays an action. Repeats it while the server is out of reach: the expected ply makes that harmless.
   * What the server refuses goes to `refused`, which shows a notice unless the board has a better place for it.
   */
  async act(action: unknown, refused: (error: unknown) => void = complain): Promise<boolean> {
    const seat = this.acting
    if (seat === null) return false
    this.sending = true
    try {
      return (await this.#deliver({ action, seat, expect_ply: this.table.ply }, refused)) !== null
    } finally {
      this.sending = false
    }
  }

  /**
   * Sends an action that may be repeated and that nothing else at the table can spoil, as letters of a crossword are:
   * several may be on their way, and the board stays open. Answers after how many actions it stands, null if refused.
   */
  async send(action: unknown, refused: (error: unknown) => void = complain): Promise<number | null> {
    const seat = this.myTurn
    return seat === null ? null : this.#deliver({ action, seat }, refused)
  }

  async #deliver(body: { action: unknown; seat: number; expect_ply?: number }, refused: (error: unknown) => void): Promise<number | null> {
    const until = Date.now() + RESEND_MS
    try {
      for (;;) {
        try {
          const { ply } = await api.act(this.table.id, body)
          if (this.connection !== 'live' || (body.expect_ply !== undefined && this.table.ply <= body.expect_ply)) await this.refresh().catch(() => {})
          return ply
        } catch (error) {
          const again = error instanceof ApiError && (error.status === 0 || error.status === 503 || error.status === 429)
          if (!again || this.#closed || Date.now() > until) throw error
          const wait = Math.max(1, Math.min(error.retryAfter ?? 1, 10))
          await new Promise((wake) => setTimeout(wake, wait * 1000))
        }
      }
    } catch (error) {
      refused(error)
      await this.refresh().catch(() => {})
      return null
    }
  }

  /** Does something at the table and shows what came of it; errors become notices. */
  async #tell(deed: () => Promise<unknown>): Promise<boolean> {
    try {
      await deed()
      if (this.connection !== 'live') await this.refresh()
      return true
    } catch (error) {
      complain(error)
      return false
    }
  }

  undo(keep?: number): Promise<boolean> {
    return this.#tell(() => api.undo(this.table.id, keep === undefined ? {} : { keep }))
  }
  answerUndo(accept: boolean): Promise<boolean> {
    return this.#tell(() => api.undo(this.table.id, { accept }))
  }
  redo(): Promise<boolean> {
    return this.#tell(() => api.redo(this.table.id))
  }
  resign(): Promise<boolean> {
    return this.#tell(() => api.resign(this.table.id, this.myTurn ?? this.mySeats[0]))
  }
  sit(seat: number): Promise<boolean> {
    return this.#tell(async () => {
      await api.sit(this.table.id, seat, { kind: 'me' })
      await this.refresh()
      // The socket was opened as a spectator: the server must look again at who is here.
      this.#socket?.close()
      if (!this.#closed) this.connect()
    })
  }
  seatBot(seat: number, level: string): Promise<boolean> {
    return this.#tell(() => api.sit(this.table.id, seat, { kind: 'bot', level }))
  }
  async rematch(): Promise<void> {
    await this.#tell(async () => {
      const { id } = await api.rematch(this.table.id)
      router.go(`/t/${id}`)
    })
  }

  /** Asks a service at this table; what it reports while it works is in `progress`. */
  async service<T>(name: string, request: unknown = {}, signal?: AbortSignal): Promise<T> {
    try {
      return await api.tableService<T>(this.table.id, name, request, signal)
    } finally {
      const { [name]: _, ...rest } = this.progress
      this.progress = rest
    }
  }

  /** Shows others where this person is looking. */
  show(presence: Record<string, unknown>): void {
    this.#socket?.presence(presence)
  }

  say(text: string): void {
    notices.say(text)
  }
}
