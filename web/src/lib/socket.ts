/** Reconnecting socket of a table; each connection states the last sequence number seen. Actions go by HTTP, which can be retried. */

import type { ServerMessage } from './apiTypes'

export type Connection = 'connecting' | 'live' | 'lost'

/** The part of WebSocket in use, so that tests can replace it. */
export interface WebSocketLike {
  send(text: string): void
  close(): void
  onopen: ((event: Event) => void) | null
  onclose: ((event: CloseEvent) => void) | null
  onmessage: ((event: MessageEvent) => void) | null
  readonly readyState: number
}

export interface SocketOptions {
  open: () => WebSocketLike
  /** Sequence number of the newest table; sent with each connection. */
  seq: () => number
  onMessage: (message: ServerMessage) => void
  onConnection: (state: Connection) => void
  /** Milliseconds before attempt `n` (from 0). */
  delay?: (n: number) => number
}

const OPEN = 1
const PING_EVERY_MS = 20_000
/** A connection silent for this long counts as lost. */
const SILENCE_MS = 45_000

/** Exponential backoff: 0.5 s doubling up to 8 s, with 12.5 % jitter. */
export function backoff(n: number): number {
  return Math.min(8000, 500 * 2 ** n) * (0.875 + Math.random() * 0.25)
}

export class TableSocket {
  #options: SocketOptions
  #socket: WebSocketLike | null = null
  #attempts = 0
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #pingTimer: ReturnType<typeof setInterval> | undefined
  #lastReceived = 0
  #closed = false

  constructor(options: SocketOptions) {
    this.#options = options
    this.#connect()
  }

  /** Reconnects at once, for instance when the browser is back online. */
  reconnectNow(): void {
    if (this.#closed) return
    if (this.#socket && this.#socket.readyState === OPEN) {
      this.#send({ ping: Date.now() })
      return
    }
    this.#attempts = 0
    this.#disconnect()
    this.#connect()
  }

  close(): void {
    this.#closed = true
    this.#disconnect()
  }

  get open(): boolean {
    return this.#socket?.readyState === OPEN
  }

  /** Sends transient state to the other viewers, such as a cursor. */
  presence(value: object): void {
    if (this.open) this.#send({ presence: value })
  }

  #connect(): void {
    this.#options.onConnection('connecting')
    let socket: WebSocketLike
    try {
      socket = this.#options.open()
    } catch {
      this.#scheduleReconnect()
      return
    }
    this.#socket = socket
    socket.onopen = () => {
      this.#lastReceived = Date.now()
      this.#send({ hello: { seq: this.#options.seq() } })
      this.#attempts = 0
      this.#options.onConnection('live')
      this.#pingTimer = setInterval(() => this.#heartbeat(), PING_EVERY_MS)
    }
    socket.onmessage = (event) => {
      this.#lastReceived = Date.now()
      let message: ServerMessage
      try {
        message = JSON.parse(String(event.data)) as ServerMessage
      } catch {
        return
      }
      this.#options.onMessage(message)
    }
    socket.onclose = () => {
      if (this.#socket === socket) this.#scheduleReconnect()
    }
  }

  #heartbeat(): void {
    if (Date.now() - this.#lastReceived > SILENCE_MS) {
      this.#disconnect()
      this.#scheduleReconnect()
    } else {
      this.#send({ ping: Date.now() })
    }
  }

  #scheduleReconnect(): void {
    this.#disconnect()
    if (this.#closed) return
    this.#options.onConnection('lost')
    const wait = (this.#options.delay ?? backoff)(this.#attempts++)
    this.#retryTimer = setTimeout(() => this.#connect(), wait)
  }

  #disconnect(): void {
    clearTimeout(this.#retryTimer)
    clearInterval(this.#pingTimer)
    const socket = this.#socket
    this.#socket = null
    if (socket) {
      socket.onopen = socket.onclose = socket.onmessage = null
      socket.close()
    }
  }

  #send(message: object): void {
    if (this.#socket?.readyState === OPEN) this.#socket.send(JSON.stringify(message))
  }
}

/** Socket address of a table on this server. */
export function socketAddress(id: string, at: { protocol: string; host: string } = location): string {
  const scheme = at.protocol === 'https:' ? 'wss:' : 'ws:'
  return `${scheme}//${at.host}/api/v1/tables/${encodeURIComponent(id)}/socket`
}
