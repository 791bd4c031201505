/** A table on the client: the newest state, the shown position, and the user's actions. */

import { api, ApiError } from '../lib/api'
import { showError, notices } from '../lib/notices.svelte'
import { server } from '../lib/server.svelte'
import { prefs } from '../lib/prefs.svelte'
import { router } from '../lib/router.svelte'
import { play } from '../lib/sound'
import { socketAddress, TableSocket, type Connection } from '../lib/socket'
import type { GameInfo, ServerMessage, Table, Thinking } from '../lib/apiTypes'
import type { BoardModule } from '../boards/types'
import { Director } from './director'
import { frameAt } from './frames'

/** How long an action is retried while the server cannot be reached, in milliseconds. */
const RESEND_MS = 60_000
/** An action in flight for longer than this is shown as *Sending*. */
const SLOW_MS = 600
/** Beat of a computer's action where the game names none, in milliseconds. */
const BEAT_MS = 450

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
  /** Whether the action in flight takes long enough to say so. */
  slow = $state(false)
  /** Number of actions the director has not shown yet. */
  waiting = $state(0)
  /** Whether the director is paused. */
  paused = $state(false)
  /** Arrival time of the newest table; clocks count from it. */
  received = $state(performance.now())
  /** Whether the user is on the way to a rematch. */
  leaving = false
  #past = $state.raw<{ ply: number; view: View } | null>(null)
  /** The table as shown: behind the newest one while the director plays, ahead of it while an action is in flight. */
  #table: Table<View>
  #newest: Table<View>
  #frames = new Map<number, Table<View>>()
  #director: Director
  #socket: TableSocket | null = null
  #onChange: ((before: Table<View>, now: Table<View>) => void)[] = []
  #closed = false

  constructor(table: Table<View>, info: GameInfo, module: BoardModule<View>) {
    this.#table = $state.raw(table)
    this.table = $derived(this.#table)
    this.info = info
    this.module = module
    this.thinking = table.thinking ?? null
    this.#newest = table
    this.#director = new Director(table.ply, { beat: (ply) => this.#beat(ply), tempo: () => prefs.tempo, show: (ply) => void this.#showFrame(ply) })
  }

  /** Pause before the action that leads to `ply`. Only computers are slowed down, and never against a clock. */
  #beat(ply: number): number {
    const entry = this.#newest.history[ply - 1]
    if (!entry || this.#newest.clock || this.#newest.seats[entry.seat]?.kind !== 'bot') return 0
    return this.module.beat?.(entry, this.#newest.view) ?? BEAT_MS
  }

  /** The table after `ply` actions: as received, or derived from the newest one, or with a view from the server. */
  async #showFrame(ply: number): Promise<void> {
    this.waiting = this.#director.waiting
    if (ply === this.#newest.ply) return this.#present(this.#newest)
    const known = this.#frames.get(ply)
    if (known) return this.#present(known)
    const local = this.module.viewAt?.(this.#newest.view, ply, this.#newest)
    if (local) return this.#present(frameAt(this.#newest, ply, local))
    try {
      const { view } = await api.viewAt(this.#newest.id, ply)
      if (this.#director.shown === ply) this.#present(frameAt(this.#newest, ply, view as View))
    } catch {
      this.#director.skip()
    }
  }

  #present(table: Table<View>): void {
    const before = this.#table
    this.#table = table
    if (table === this.#newest) this.#frames.clear()
    this.waiting = this.#director.waiting
    this.paused = this.#director.paused
    this.received = performance.now()
    this.thinking = table.thinking ?? (table.ply === before.ply ? this.thinking : null)
    if (table.state === 'over') this.thinking = null
    if (this.at !== null && this.at >= table.ply) this.at = null
    for (const listener of this.#onChange) listener(before, table)
  }

  /** Shows the newest position at once. */
  skip(): void {
    this.#director.skip()
  }
  pause(paused: boolean): void {
    this.#director.pause(paused)
    this.paused = paused
  }
  /** Plays the game from its first action in front of the viewer. */
  replay(): void {
    this.at = null
    this.#director.replayFrom(0)
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
    if (this.table.state !== 'running' || !this.live || this.sending || this.#table !== this.#newest) return null
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
      seq: () => this.#newest.seq,
      onMessage: (message) => this.#receive(message),
      onConnection: (state) => (this.connection = state),
    })
    addEventListener('online', this.#reconnect)
    document.addEventListener('visibilitychange', this.#reconnect)
  }

  close(): void {
    this.#closed = true
    this.#director.stop()
    this.#socket?.close()
    removeEventListener('online', this.#reconnect)
    document.removeEventListener('visibilitychange', this.#reconnect)
  }

  /** Calls `listener` after each change of the table. */
  onChange(listener: (before: Table<View>, now: Table<View>) => void): void {
    this.#onChange.push(listener)
  }

  #reconnect = (): void => {
    if (document.visibilityState !== 'visible') return
    this.#director.wake()
    this.#socket?.reconnectNow()
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
    if (table.seq < this.#newest.seq) return
    this.#newest = table
    this.#frames.set(table.ply, table)
    this.#director.arrive(table.ply)
    this.waiting = this.#director.waiting
    if (this.#director.shown === table.ply && this.#table !== table) this.#present(table)
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
    const { ply } = this.table
    this.sending = true
    const timer = setTimeout(() => (this.slow = true), SLOW_MS)
    const view = this.module.predict?.(this.table, action, seat)
    if (view) {
      play('place')
      this.#table = { ...this.#table, view, to_act: [] }
    }
    try {
      return (await this.#deliver({ action, seat, expect_ply: ply }, refused)) !== null
    } finally {
      clearTimeout(timer)
      this.sending = this.slow = false
      // Refused: the board shows the server's position again.
      if (view && this.#table.ply === ply && this.#table !== this.#newest && this.waiting === 0) this.#present(this.#newest)
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
          if (this.connection !== 'live' || (body.expect_ply !== undefined && this.#newest.ply <= body.expect_ply)) await this.refresh().catch(() => {})
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
      this.leaving = true
      const { id } = this.table.rematch ?? (await api.rematch(this.table.id))
      server.rematch = id
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
