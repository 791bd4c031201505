// Runs the browser tests against the given program.
// npm run e2e -- PATH-TO-PARLOUR [test name…]
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { startServer } from './server.mjs'

const [program, ...names] = process.argv.slice(2)
if (!program) {
  console.error('Which program? npm run e2e -- ../target/debug/parlour')
  process.exit(2)
}

const server = await startServer(program)
let failed = true
try {
  const runner = await startVitest('test', names, {
    root: import.meta.dirname,
    config: join(import.meta.dirname, 'vitest.config.ts'),
    watch: false,
    provide: { base: server.base, token: server.token },
  })
  const { state } = runner
  failed = state.getCountOfFailedTests() > 0 || state.getUnhandledErrors().length > 0 || state.getFiles().length === 0
  await runner.close()
} finally {
  await server.stop()
}
if (failed) console.error(`the server said:\n${server.said.join('').slice(-4000)}`)
process.exit(failed ? 1 : 0)
