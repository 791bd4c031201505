/** A table on the client: the newest state, the shown position, and the user's actions. */

import { api, ApiError } from '../lib/api'
import { showError, notices } from '../lib/notices.svelte'
import { router } from '../lib/router.svelte'
import { socketAddress, TableSocket, type Connection } from '../lib/socket'
import type { GameInfo, ServerMessage, Table, Thinking } from '../lib/types'
import type { BoardModule } from '../boards/types'

/** How long an action is retried while the server cannot be reached, in milliseconds. */
const RESEND_MS = 60_000

export interface ServiceProgress {
  done: number
  note: string
  detail?: unknown
}

/** A session of any game, for code that ignores the view. */
export type AnySession = Session<any>

export class Session<View = unknown> {
  readonly info: GameInfo
  readonly module: BoardModule<View>
  table: Table<View>
  connection = $state<Connection>('connecting')
  thinking = $state.raw<Thinking | null>(null)
  /** Progress of running services, by name. */
  progress = $state.raw<Record<string, ServiceProgress>>({})
  /** Transient state of the other viewers, by seat. */
  presence = $state.raw<Record<number, Record<string, unknown>>>({})
  /** Ply of the shown position; null for the newest. */
  at = $state<number | null>(null)
  /** Whether an action is in flight. */
  sending = $state(false)
  /** Arrival time of the newest table; clocks count from it. */
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

  /** View of the shown position. */
  get view(): View {
    if (this.at === null || this.at >= this.table.ply) return this.table.view
    const local = this.module.viewAt?.(this.table.view, this.at, this.table)
    if (local) return local
    return this.#past?.ply === this.at ? this.#past.view : this.table.view
  }

  get live(): boolean {
    return this.at === null
  }

  /** Ply of the shown position. */
  get shownPly(): number {
    return this.at ?? this.table.ply
  }

  get mySeats(): number[] {
    return this.table.seats.filter((seat) => seat.me).map((seat) => seat.seat)
  }

  /** The user's seat that may act now: the newest position is shown and no action is in flight. */
  get acting(): number | null {
    if (this.table.state !== 'running' || !this.live || this.sending) return null
    return this.myTurn
  }

  /** The user's seat that may act, whatever is shown. */
  get myTurn(): number | null {
    if (this.table.state !== 'running') return null
    return this.table.to_act.find((seat) => this.table.seats[seat]?.me) ?? null
  }

  get againstBots(): boolean {
    return this.table.seats.every((seat) => seat.kind === 'bot' || seat.me)
  }

  /** Stable id of a seat's current role, such as `black`. */
  role(seat: number): string {
    const role = this.table.view ? this.module.seatName?.(this, seat) : null
    return role ?? this.table.seats[seat]?.name_id ?? String(seat + 1)
  }

  /** Whether hints and analysis are allowed: by the table's options, and always after the game. */
  get helpAllowed(): boolean {
    return this.table.state === 'over' || (this.table.options?.help ?? this.againstBots)
  }

  has(service: string): boolean {
    return this.info.services.some(({ name }) => name === service)
  }

  /** Opens the socket; from now on the table follows the server. */
  connect(): void {
    this.#socket = new TableSocket({
      open: () => new WebSocket(socketAddress(this.table.id)),
      seq: () => this.table.seq,
      onMessage: (message) => this.#receive(message),
      onConnection: (state) => (this.connection = state),
    })
    addEventListener('online', this.#reconnect)
    document.addEventListener('visibilitychange', this.#reconnect)
  }

  close(): void {
    this.#closed = true
    this.#socket?.close()
    removeEventListener('online', this.#reconnect)
    document.removeEventListener('visibilitychange', this.#reconnect)
  }

  /** Calls `listener` after each change of the table. */
  onChange(listener: (before: Table<View>, now: Table<View>) => void): void {
    this.#onChange.push(listener)
  }

  #reconnect = (): void => {
    if (document.visibilityState === 'visible') this.#socket?.reconnectNow()
  }

  #receive(message: ServerMessage): void {
    if (message.table) this.receiveTable(message.table as Table<View>)
    if (message.thinking !== undefined) this.thinking = message.thinking
    if (message.progress) {
      const { service, done, note, detail } = message.progress
      this.progress = { ...this.progress, [service]: { done, note, detail } }
    }
    if (message.presence && typeof message.presence.seat === 'number') {
      this.presence = { ...this.presence, [message.presence.seat]: message.presence }
    }
  }

  /** Takes a table from the server unless it is older than the current one. */
  receiveTable(table: Table<View>): void {
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
    this.receiveTable((await api.table(this.table.id)) as Table<View>)
  }

  /** Shows the position after `ply` actions. */
  goTo(ply: number): void {
    const to = Math.max(0, Math.min(ply, this.table.ply))
    this.at = to === this.table.ply ? null : to
    if (this.at === null || this.module.viewAt?.(this.table.view, to, this.table)) return
    api.viewAt(this.table.id, to).then(
      ({ ply, view }) => {
        if (this.at === ply) this.#past = { ply, view: view as View }
      },
      (error: unknown) => showError(error),
    )
  }

  /**
   * Plays an action. Retries while the server cannot be reached; `expect_ply` makes retries idempotent. A refusal goes
   * to `refused`, which shows a notice by default.
   */
  async act(action: unknown, refused: (error: unknown) => void = showError): Promise<boolean> {
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
   * Sends an action that does not depend on the ply, such as a crossword letter. Several can be in flight, and the
   * board stays usable. Returns the action's ply; null if refused.
   */
  async send(action: unknown, refused: (error: unknown) => void = showError): Promise<number | null> {
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

  /** Runs a request; errors become notices. */
  async #run(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action()
      if (this.connection !== 'live') await this.refresh()
      return true
    } catch (error) {
      showError(error)
      return false
    }
  }

  undo(keep?: number): Promise<boolean> {
    return this.#run(() => api.undo(this.table.id, keep === undefined ? {} : { keep }))
  }
  answerUndo(accept: boolean): Promise<boolean> {
    return this.#run(() => api.undo(this.table.id, { accept }))
  }
  redo(): Promise<boolean> {
    return this.#run(() => api.redo(this.table.id))
  }
  resign(): Promise<boolean> {
    return this.#run(() => api.resign(this.table.id, this.myTurn ?? this.mySeats[0]))
  }
  sit(seat: number): Promise<boolean> {
    return this.#run(async () => {
      await api.sit(this.table.id, seat, { kind: 'me' })
      await this.refresh()
      // The socket was opened as a spectator: reconnect as a player.
      this.#socket?.close()
      if (!this.#closed) this.connect()
    })
  }
  seatBot(seat: number, level: string): Promise<boolean> {
    return this.#run(() => api.sit(this.table.id, seat, { kind: 'bot', level }))
  }
  async rematch(): Promise<void> {
    await this.#run(async () => {
      const { id } = await api.rematch(this.table.id)
      router.go(`/t/${id}`)
    })
  }

  /** Calls a service of this table; intermediate results appear in `progress`. */
  async service<T>(name: string, request: unknown = {}, signal?: AbortSignal): Promise<T> {
    try {
      return await api.tableService<T>(this.table.id, name, request, signal)
    } finally {
      const { [name]: _, ...rest } = this.progress
      this.progress = rest
    }
  }

  /** Shows the other viewers where this user is. */
  sendPresence(presence: Record<string, unknown>): void {
    this.#socket?.presence(presence)
  }

  announce(text: string): void {
    notices.announce(text)
  }
}
