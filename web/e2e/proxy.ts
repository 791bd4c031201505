/** A TCP proxy that a test can disconnect. */

import { connect, createServer, type Socket } from 'node:net'

export interface TestProxy {
  base: string
  disconnect(): void
  reconnect(): void
  close(): Promise<void>
}

export async function startProxy(base: string): Promise<TestProxy> {
  const target = new URL(base)
  const open = new Set<Socket>()
  let broken = false
  const server = createServer((near) => {
    if (broken) {
      near.destroy()
      return
    }
    const far = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address() as { port: number }
  return {
    base: `http://127.0.0.1:${address.port}`,
    disconnect() {
      broken = true
      for (const socket of open) socket.destroy()
    },
    reconnect() {
      broken = false
    },
    close: () =>
      new Promise((done) => {
        for (const socket of open) socket.destroy()
        server.close(() => done())
      }),
  }
}
