import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backoff, socketAddress, TableSocket, type Connection, type Wire } from './socket'
import type { ServerMessage } from './types'

/** A wire whose other end is the test. */
class TestWire implements Wire {
  readyState = 0
  sent: unknown[] = []
  closed = false
  onopen: Wire['onopen'] = null
  onclose: Wire['onclose'] = null
  onmessage: Wire['onmessage'] = null
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
  tell(message: unknown): void {
    this.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) } as MessageEvent)
  }
  break(): void {
    this.readyState = 3
    this.onclose?.({} as CloseEvent)
  }
}

describe('socket', () => {
  let wires: TestWire[]
  let states: Connection[]
  let heard: ServerMessage[]
  let seq: number

  const start = () =>
    new TableSocket({
      open: () => {
        const wire = new TestWire()
        wires.push(wire)
        return wire
      },
      seq: () => seq,
      onMessage: (message) => heard.push(message),
      onConnection: (state) => states.push(state),
      delay: (n) => 100 * (n + 1),
    })

  beforeEach(() => {
    vi.useFakeTimers()
    wires = []
    states = []
    heard = []
    seq = 0
  })
  afterEach(() => vi.useRealTimers())

  it('says what was seen last, at the first connection and after every loss', () => {
    const socket = start()
    wires[0]!.open()
    expect(wires[0]!.sent).toEqual([{ hello: { seq: 0 } }])
    seq = 7
    wires[0]!.break()
    vi.advanceTimersByTime(100)
    wires[1]!.open()
    expect(wires[1]!.sent).toEqual([{ hello: { seq: 7 } }])
    expect(states).toEqual(['connecting', 'live', 'lost', 'connecting', 'live'])
    socket.close()
  })

  it('waits longer after each failure and at once when told to hurry', () => {
    const socket = start()
    wires[0]!.break()
    vi.advanceTimersByTime(100)
    wires[1]!.break()
    vi.advanceTimersByTime(100)
    expect(wires.length).toBe(2)
    vi.advanceTimersByTime(100)
    expect(wires.length).toBe(3)
    wires[2]!.break()
    socket.hurry()
    expect(wires.length).toBe(4)
    socket.close()
  })

  it('drops a connection that went silent', () => {
    const socket = start()
    wires[0]!.open()
    vi.advanceTimersByTime(70_000)
    expect(wires[0]!.closed).toBe(true)
    expect(wires.length).toBeGreaterThan(1)
    socket.close()
  })

  it('passes messages on and survives nonsense', () => {
    const socket = start()
    wires[0]!.open()
    wires[0]!.tell('{')
    wires[0]!.tell({ thinking: { seat: 1, done: 0.5, note: '' } })
    expect(heard).toEqual([{ thinking: { seat: 1, done: 0.5, note: '' } }])
    socket.close()
    expect(wires[0]!.closed).toBe(true)
  })

  it('has sensible delays and addresses', () => {
    expect(backoff(0)).toBeLessThan(700)
    expect(backoff(20)).toBeLessThanOrEqual(9000)
    expect(socketAddress('a/b', { protocol: 'https:', host: 'x:1' })).toBe('wss://x:1/api/v1/tables/a%2Fb/socket')
  })
})
