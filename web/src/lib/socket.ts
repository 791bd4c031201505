/** A table's socket: reconnects by itself and tells the server what was seen last. Actions go by HTTP, which can be repeated. */

import type { ServerMessage } from './types'

export type Connection = 'connecting' | 'live' | 'lost'

/** The part of WebSocket that is used, so that tests can stand in for it. */
export interface Wire {
  send(text: string): void
  close(): void
  onopen: ((event: Event) => void) | null
  onclose: ((event: CloseEvent) => void) | null
  onmessage: ((event: MessageEvent) => void) | null
  readonly readyState: number
}

export interface SocketOptions {
  open: () => Wire
  /** The sequence number of the newest table the page has; told to the server at each connection. */
  seq: () => number
  onMessage: (message: ServerMessage) => void
  onConnection: (state: Connection) => void
  /** Milliseconds before try number `n` (from 0). */
  delay?: (n: number) => number
}

const OPEN = 1
const PING_EVERY_MS = 20_000
/** Silence after which a connection that still looks open counts as lost. */
const SILENCE_MS = 45_000

/** Half a second, then twice as long each time up to eight, with a quarter of jitter. */
export function backoff(n: number): number {
  return Math.min(8000, 500 * 2 ** n) * (0.875 + Math.random() * 0.25)
}

export class TableSocket {
  #options: SocketOptions
  #wire: Wire | null = null
  #tries = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #ping: ReturnType<typeof setInterval> | undefined
  #heard = 0
  #closed = false

  constructor(options: SocketOptions) {
    this.#options = options
    this.#connect()
  }

  /** Tries again at once, for instance when the browser comes back online. */
  hurry(): void {
    if (this.#closed) return
    if (this.#wire && this.#wire.readyState === OPEN) {
      this.#send({ ping: Date.now() })
      return
    }
    this.#tries = 0
    this.#drop()
    this.#connect()
  }

  close(): void {
    this.#closed = true
    this.#drop()
  }

  get open(): boolean {
    return this.#wire?.readyState === OPEN
  }

  /** Tells the others something that is never kept, such as a cursor. */
  presence(value: object): void {
    if (this.open) this.#send({ presence: value })
  }

  #connect(): void {
    this.#options.onConnection('connecting')
    let wire: Wire
    try {
      wire = this.#options.open()
    } catch {
      this.#again()
      return
    }
    this.#wire = wire
    wire.onopen = () => {
      this.#heard = Date.now()
      this.#send({ hello: { seq: this.#options.seq() } })
      this.#tries = 0
      this.#options.onConnection('live')
      this.#ping = setInterval(() => this.#beat(), PING_EVERY_MS)
    }
    wire.onmessage = (event) => {
      this.#heard = Date.now()
      let message: ServerMessage
      try {
        message = JSON.parse(String(event.data)) as ServerMessage
      } catch {
        return
      }
      this.#options.onMessage(message)
    }
    wire.onclose = () => {
      if (this.#wire === wire) this.#again()
    }
  }

  #beat(): void {
    if (Date.now() - this.#heard > SILENCE_MS) {
      this.#drop()
      this.#again()
    } else {
      this.#send({ ping: Date.now() })
    }
  }

  #again(): void {
    this.#drop()
    if (this.#closed) return
    this.#options.onConnection('lost')
    const wait = (this.#options.delay ?? backoff)(this.#tries++)
    this.#retry = setTimeout(() => this.#connect(), wait)
  }

  #drop(): void {
    clearTimeout(this.#retry)
    clearInterval(this.#ping)
    const wire = this.#wire
    this.#wire = null
    if (wire) {
      wire.onopen = wire.onclose = wire.onmessage = null
      wire.close()
    }
  }

  #send(message: object): void {
    if (this.#wire?.readyState === OPEN) this.#wire.send(JSON.stringify(message))
  }
}

/** The address of a table's socket on this page's own server. */
export function socketAddress(id: string, at: { protocol: string; host: string } = location): string {
  const scheme = at.protocol === 'https:' ? 'wss:' : 'ws:'
  return `${scheme}//${at.host}/api/v1/tables/${encodeURIComponent(id)}/socket`
}
