// Starts the program on a free port with its own store.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const freePort = () =>
  new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

/** The running program: address, output, and a function that stops it. */
export async function startServer(program) {
  const folder = mkdtempSync(join(tmpdir(), 'parlour-e2e-'))
  const base = `http://127.0.0.1:${await freePort()}`
  const said = []
  const operator = join(folder, 'operator')
  const child = spawn(resolve(program), ['serve', '--listen', new URL(base).host, '--store', `sqlite:${join(folder, 'e2e.db')}`, '--operator-token-file', operator], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.on('data', (text) => said.push(String(text)))
  child.stderr.on('data', (text) => said.push(String(text)))
  const gone = new Promise((done) => child.once('exit', done))
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) break
    try {
      if ((await fetch(`${base}/healthz`)).ok) return { base, said, stop, token: readFileSync(operator, 'utf8').trim() }
    } catch {
      // Not up yet.
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  await stop()
  throw new Error(`the server does not answer: ${said.join('')}`)
}
