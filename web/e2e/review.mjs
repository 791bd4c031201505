// Screenshots of every table state at every size and theme, with a layout check of each. They stay out of the repository.
// npm run review -- PATH-TO-PARLOUR [scene…]
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { layoutFaults } from './layout.mjs'
import { SCENES } from './scenes.mjs'
import { startServer } from './server.mjs'

const [program, ...wanted] = process.argv.slice(2)
if (!program) {
  console.error('Which program? npm run review -- ../target/debug/parlour')
  process.exit(2)
}

const SIZES = {
  desktop: { width: 1280, height: 800 },
  'phone-390': { width: 390, height: 844 },
  'phone-360': { width: 360, height: 740 },
  landscape: { width: 844, height: 390 },
}
const folder = join(import.meta.dirname, '../../docs/pictures/review')
mkdirSync(folder, { recursive: true })

const server = program.startsWith('http') ? { base: program, stop: async () => {} } : await startServer(program)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'] })
let faults = 0
let pictures = 0
try {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const phone = size !== 'desktop'
    const context = await browser.newContext({ viewport, hasTouch: phone, isMobile: phone, locale: 'en-GB', reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.addInitScript(() => localStorage.getItem('parlour.prefs') ?? localStorage.setItem('parlour.prefs', JSON.stringify({ tempo: 'instant' })))
    const api = async (path, data) => {
      const answer = await page.request.post(`${server.base}/api/v1${path}`, { data, headers: { origin: server.base } })
      if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
      return answer.json()
    }
    const open = async (request) => {
      const { table } = await api('/tables', request)
      await page.goto(`${server.base}/t/${table.id}`)
      await page.getByTestId('board').waitFor()
      return table.id
    }
    await page.goto(server.base)
    for (const [scene, prepare] of Object.entries(SCENES)) {
      if (wanted.length && !wanted.some((part) => scene.includes(part))) continue
      try {
        await prepare({ page, api, open, base: server.base, phone })
      } catch (error) {
        faults++
        console.log(`${scene} ${size}: ${String(error).split('\n')[0]}`)
      }
      for (const theme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: theme })
        await page.screenshot({ path: join(folder, `${scene}-${size}-${theme}.png`), fullPage: true })
        pictures++
      }
      await page.emulateMedia({ colorScheme: 'light' })
      for (const fault of await page.evaluate(layoutFaults)) {
        faults++
        console.log(`${scene} ${size}: ${fault}`)
      }
    }
    await context.close()
  }
} finally {
  await browser.close()
  await server.stop()
}
console.log(`${pictures} pictures, ${faults} layout faults`)
process.exit(faults ? 1 : 0)
