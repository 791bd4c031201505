import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backoff, socketAddress, TableSocket, type Connection, type WebSocketLike } from './socket'
import type { ServerMessage } from './apiTypes'

/** A socket that the test controls. */
class FakeSocket implements WebSocketLike {
  readyState = 0
  sent: unknown[] = []
  closed = false
  onopen: WebSocketLike['onopen'] = null
  onclose: WebSocketLike['onclose'] = null
  onmessage: WebSocketLike['onmessage'] = null
  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  close(): void {
    this.closed = true
    this.readyState = 3
  }
  open(): void {
    this.readyState = 1
    this.onopen?.({} as Event)
  }
  receive(message: unknown): void {
    this.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) } as MessageEvent)
  }
  drop(): void {
    this.readyState = 3
    this.onclose?.({} as CloseEvent)
  }
}

describe('socket', () => {
  let sockets: FakeSocket[]
  let states: Connection[]
  let received: ServerMessage[]
  let seq: number

  const start = () =>
    new TableSocket({
      open: () => {
        const socket = new FakeSocket()
        sockets.push(socket)
        return socket
      },
      seq: () => seq,
      onMessage: (message) => received.push(message),
      onConnection: (state) => states.push(state),
      delay: (n) => 100 * (n + 1),
    })

  beforeEach(() => {
    vi.useFakeTimers()
    sockets = []
    states = []
    received = []
    seq = 0
  })
  afterEach(() => vi.useRealTimers())

  it('sends the last sequence number with every connection', () => {
    const tableSocket = start()
    sockets[0]!.open()
    expect(sockets[0]!.sent).toEqual([{ hello: { seq: 0 } }])
    seq = 7
    sockets[0]!.drop()
    vi.advanceTimersByTime(100)
    sockets[1]!.open()
    expect(sockets[1]!.sent).toEqual([{ hello: { seq: 7 } }])
    expect(states).toEqual(['connecting', 'live', 'lost', 'connecting', 'live'])
    tableSocket.close()
  })

  it('backs off after failures and reconnects at once on request', () => {
    const tableSocket = start()
    sockets[0]!.drop()
    vi.advanceTimersByTime(100)
    sockets[1]!.drop()
    vi.advanceTimersByTime(100)
    expect(sockets.length).toBe(2)
    vi.advanceTimersByTime(100)
    expect(sockets.length).toBe(3)
    sockets[2]!.drop()
    tableSocket.reconnectNow()
    expect(sockets.length).toBe(4)
    tableSocket.close()
  })

  it('drops a connection that went silent', () => {
    const tableSocket = start()
    sockets[0]!.open()
    vi.advanceTimersByTime(70_000)
    expect(sockets[0]!.closed).toBe(true)
    expect(sockets.length).toBeGreaterThan(1)
    tableSocket.close()
  })

  it('delivers messages and ignores invalid ones', () => {
    const tableSocket = start()
    sockets[0]!.open()
    sockets[0]!.receive('{')
    sockets[0]!.receive({ thinking: { seat: 1, done: 0.5, note: '' } })
    expect(received).toEqual([{ thinking: { seat: 1, done: 0.5, note: '' } }])
    tableSocket.close()
    expect(sockets[0]!.closed).toBe(true)
  })

  it('bounds delays and builds addresses', () => {
    expect(backoff(0)).toBeLessThan(700)
    expect(backoff(20)).toBeLessThanOrEqual(9000)
    expect(socketAddress('a/b', { protocol: 'https:', host: 'x:1' })).toBe('wss://x:1/api/v1/tables/a%2Fb/socket')
  })
})
