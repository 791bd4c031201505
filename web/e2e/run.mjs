// Browser tests: starts the given program on a free port with a store of its own, walks through it, stops it.
// npm run e2e -- PATH-TO-PARLOUR [test name…]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startVitest } from 'vitest/node'

const [program, ...names] = process.argv.slice(2)
if (!program) {
  console.error('Which program? npm run e2e -- ../target/debug/parlour')
  process.exit(2)
}

const freePort = () =>
  new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

const folder = mkdtempSync(join(tmpdir(), 'parlour-e2e-'))
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const said = []
const server = spawn(resolve(program), ['serve', '--listen', `127.0.0.1:${port}`, '--store', `sqlite:${join(folder, 'e2e.db')}`], {
  stdio: ['ignore', 'pipe', 'pipe'],
})
server.stdout.on('data', (text) => said.push(String(text)))
server.stderr.on('data', (text) => said.push(String(text)))

let failed = true
try {
  await ready()
  const runner = await startVitest('test', names, { root: import.meta.dirname, config: join(import.meta.dirname, 'vitest.config.ts'), watch: false, provide: { base } })
  failed = !runner || runner.state.getCountOfFailedTests() > 0 || runner.state.getUnhandledErrors().length > 0 || runner.state.getFiles().length === 0
  await runner?.close()
} finally {
  if (failed) console.error(`the server said:\n${said.join('').slice(-4000)}`)
  server.kill('SIGTERM')
  await new Promise((done) => (server.exitCode === null ? server.once('exit', done) : done()))
  rmSync(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

async function ready() {
  for (let tries = 0; tries < 300; tries++) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}: ${said.join('')}`)
    try {
      if ((await fetch(`${base}/healthz`)).ok) return
    } catch {
      // Not up yet.
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`the server did not answer within 30 s: ${said.join('')}`)
}
