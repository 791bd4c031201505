// Takes the screenshots of the README and the guides.
// npm run screenshots -- PATH-TO-PARLOUR [name…]
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { startServer } from './server.mjs'

const [program, ...names] = process.argv.slice(2)
if (!program) {
  console.error('Which program? npm run screenshots -- ../target/release/parlour')
  process.exit(2)
}

const folder = join(import.meta.dirname, '../../docs/pictures')
mkdirSync(folder, { recursive: true })
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
const WIDE = { viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce' }

const api = async (page, path, data) => {
  const answer = await page.request.post(`${server.base}/api/v1${path}`, { data, headers: { origin: server.base } })
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
  return answer.json()
}
const seatMeAndBot = (level) => [{ kind: 'me' }, { kind: 'bot', level }]

/** What each screenshot shows: a table created over the API, and the steps before the screenshot. */
const TABLES = {
  gomoku: {
    request: { game: 'gomoku', seats: [{ kind: 'me' }, { kind: 'me' }], moves: ['h8', 'i9', 'h9', 'h10', 'i8', 'g8', 'j7', 'k6', 'i10', 'j11', 'j8'].map((text) => ({ text })) },
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Numbers' }).click()
      await page.getByRole('button', { name: 'Heat map' }).click()
      await page.locator('.heat').first().waitFor()
      await page.getByText('Analysis', { exact: true }).click()
      await page.getByRole('button', { name: 'Think 1 second' }).click()
      await page.getByRole('button', { name: 'Think 1 second' }).and(page.locator(':enabled')).waitFor()
    },
    more: {
      name: 'gomoku-analysis',
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Heat map' }).click()
        await page.getByRole('button', { name: 'Threats' }).click()
        await page.waitForTimeout(1_500)
        await page.getByRole('button', { name: 'Think 1 second' }).scrollIntoViewIfNeeded()
      },
    },
  },
  scrabble: {
    request: { game: 'scrabble', settings: { language: 'en' }, seats: seatMeAndBot('casual'), options: { help: true } },
    prepare: async (page, id) => {
      for (let turn = 0; turn < 4; turn++) {
        await page
          .getByText(/^Your turn/)
          .first()
          .waitFor()
        const { at, word } = await api(page, `/tables/${id}/services/hint`, { depth: 3 })
        await api(page, `/tables/${id}/actions`, { text: `${at} ${word}` })
        await page.waitForTimeout(500)
      }
      await page
        .getByText(/^Your turn/)
        .first()
        .waitFor()
    },
    more: {
      name: 'scrabble-ranking',
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Heat map' }).click()
        await page.getByRole('button', { name: 'Rank moves' }).click()
        await page.getByTestId('analysis').getByRole('row').nth(2).waitFor()
        await page.getByTestId('analysis').scrollIntoViewIfNeeded()
      },
    },
  },
  crossword: {
    request: { game: 'crossword', settings: { puzzle: 'en/01' }, seats: [{ kind: 'me' }], options: { help: true } },
    prepare: async (page, id) => {
      for (const entry of [1, 3, 6]) await api(page, `/tables/${id}/actions`, { text: `reveal word ${entry}` })
      await page.getByTestId('board').focus()
    },
    more: {
      name: 'crossword-solver',
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Solve the rest' }).click()
        await page
          .getByText(/proposed/)
          .first()
          .waitFor({ timeout: 60_000 })
      },
    },
  },
  codenames: {
    request: {
      game: 'codenames',
      settings: { lang: 'en' },
      seats: [{ kind: 'bot', level: 'strong' }, { kind: 'me' }, { kind: 'bot', level: 'strong' }, { kind: 'bot', level: 'strong' }],
      options: { help: true },
    },
    prepare: (page) => page.waitForTimeout(4_000),
  },
  'codenames-ideas': {
    request: {
      game: 'codenames',
      settings: { lang: 'en' },
      seats: [{ kind: 'me' }, { kind: 'bot', level: 'strong' }, { kind: 'bot', level: 'strong' }, { kind: 'bot', level: 'strong' }],
      options: { help: true },
    },
    prepare: async (page) => {
      await page
        .getByText(/^Your turn: give a clue/)
        .first()
        .waitFor({ timeout: 60_000 })
      await page.getByTestId('ideas').click()
      await page.getByTestId('ideas').and(page.locator(':enabled')).waitFor({ timeout: 60_000 })
      await page.getByTestId('ideas').scrollIntoViewIfNeeded()
    },
  },
  homeguard: {
    request: { game: 'homeguard', seats: seatMeAndBot('private'), options: { help: true } },
    prepare: (page) => page.waitForTimeout(1_500),
    more: {
      name: 'homeguard-gallery',
      prepare: async (page) => {
        await page.getByTestId('gallery').click()
        await page.getByRole('dialog').waitFor()
        await page.waitForTimeout(2_500)
      },
    },
  },
}

const wanted = (name) => names.length === 0 || names.includes(name)
const shoot = async (page, name) => wanted(name) && page.screenshot({ path: join(folder, `${name}.png`) })

const server = program.startsWith('http') ? { base: program, stop: async () => {} } : await startServer(program)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
try {
  const context = await browser.newContext(WIDE)
  const page = await context.newPage()
  await page.addInitScript(() => localStorage.setItem('parlour.prefs', JSON.stringify({ tempo: 'instant' })))
  await page.goto(server.base)
  await page.getByRole('article').first().locator('svg').waitFor()
  await page.waitForTimeout(300)
  await shoot(page, 'lobby')
  for (const [game, { request, prepare, more }] of Object.entries(TABLES)) {
    if (names.length && !names.includes(game) && !names.includes(more?.name)) continue
    const { table } = await api(page, '/tables', request)
    await page.goto(`${server.base}/t/${table.id}`)
    await page.getByTestId('board').waitFor()
    await prepare(page, table.id)
    await page.mouse.move(0, 0)
    await shoot(page, game)
    if (!more) continue
    await more.prepare(page)
    await page.mouse.move(0, 0)
    await shoot(page, more.name)
  }
} finally {
  await browser.close()
  await server.stop()
}
