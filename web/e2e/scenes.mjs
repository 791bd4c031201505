/** What the review shows: each scene opens a page or a table and brings it into one state. */

const me = { kind: 'me' }
const bot = (level) => ({ kind: 'bot', level })
const LINE = ['h8', 'i9', 'h9', 'h10', 'i8', 'g8', 'j7', 'k6', 'i10', 'j11', 'j8']
const moves = (list) => list.map((text) => ({ text }))
const codenames = (seats, more = {}) => ({ game: 'codenames', settings: { lang: 'en', ...more }, seats, options: { help: true } })
const turn = (page, text) => page.getByTestId('status').filter({ hasText: text }).waitFor({ timeout: 60_000 })

export const SCENES = {
  lobby: async ({ page, base }) => {
    await page.goto(base)
    await page.getByRole('article').nth(4).locator('svg').first().waitFor()
  },
  ...Object.fromEntries(
    ['gomoku', 'scrabble', 'codenames', 'crossword', 'homeguard'].map((game) => [
      `setup-${game}`,
      async ({ page, base }) => {
        await page.goto(`${base}/g/${game}`)
        await page.getByRole('button', { name: 'Start' }).waitFor()
        if (game === 'crossword') await page.locator('.puzzle').first().waitFor()
      },
    ]),
  ),
  'real-table': async ({ page, base }) => {
    await page.goto(`${base}/codenames`)
    await page
      .getByTestId('real-words')
      .fill('wave beach ship river doctor hospital nurse piano drum guitar apple bread cheese train car bus king queen castle lion tiger bear snow rain sun'.split(' ').join(', '))
    await page.getByTestId('real-next').click()
    for (const word of ['wave', 'beach', 'ship']) await page.locator('.card-word', { hasText: word }).click()
  },
  account: async ({ page, base }) => {
    await page.goto(`${base}/me`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
  unknown: async ({ page, base }) => {
    await page.goto(`${base}/t/nothing-here`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
  'gomoku-playing': async ({ open }) => open({ game: 'gomoku', seats: [me, me], moves: moves(LINE), options: { help: true } }),
  'gomoku-tools': async ({ page, open }) => {
    await open({ game: 'gomoku', seats: [me, me], moves: moves(LINE), options: { help: true } })
    for (const name of ['Numbers', 'Heat map', 'Threats']) await page.getByRole('button', { name }).click()
    await page.locator('.heat').first().waitFor()
    await page.getByText('Analysis', { exact: true }).click()
    await page.getByText('Save and open').click()
  },
  'gomoku-clock': async ({ open }) => open({ game: 'gomoku', seats: [me, bot('strong')], clock: { per_game_ms: 600_000, increment_ms: 5000 } }),
  'gomoku-swap2': async ({ page, open }) => {
    await open({ game: 'gomoku', settings: { opening: 'swap2' }, seats: [me, me], moves: moves(['h8', 'i9', 'h9']) })
    await page.getByRole('button', { name: 'Add two stones' }).waitFor()
  },
  'gomoku-lost': async ({ page, open }) => {
    await open({ game: 'gomoku', seats: [me, bot('casual')] })
    await page.getByRole('button', { name: 'Resign' }).click()
    await page.getByRole('button', { name: 'Really resign' }).click()
    await page.getByTestId('result').waitFor()
  },
  'scrabble-playing': async ({ page, api, open }) => {
    const id = await open({ game: 'scrabble', settings: { language: 'en' }, seats: [me, bot('casual')], options: { help: true } })
    for (let round = 0; round < 3; round++) {
      await turn(page, /^Your turn/)
      const { at, word } = await api(`/tables/${id}/services/hint`, { depth: 3 })
      if (at) await api(`/tables/${id}/actions`, { text: `${at} ${word}` })
      await page.waitForTimeout(300)
    }
    await turn(page, /^Your turn/)
    await page.getByRole('button', { name: 'Rank moves' }).click()
    await page.getByTestId('analysis').locator('.text-button').first().click()
    await page.locator('.points').waitFor()
  },
  'scrabble-exchange': async ({ page, open }) => {
    await open({ game: 'scrabble', settings: { language: 'pl' }, seats: [me, bot('casual')], options: { help: true } })
    await turn(page, /^Your turn/)
    await page.getByRole('button', { name: 'Exchange', exact: true }).click()
    await page.locator('[data-tile]').first().click()
  },
  'scrabble-over': async ({ page, open }) => {
    await open({ game: 'scrabble', settings: { language: 'en' }, seats: [me, bot('casual')], options: { help: true } })
    await turn(page, /^Your turn/)
    await page.getByRole('button', { name: 'Resign' }).click()
    await page.getByRole('button', { name: 'Really resign' }).click()
    await page.getByTestId('result').waitFor()
  },
  'codenames-operative': async ({ page, open }) => {
    await open(codenames([bot('strong'), me, bot('strong'), bot('strong')]))
    await turn(page, /guess a card/)
  },
  'codenames-spymaster': async ({ page, open }) => {
    await open(codenames([me, bot('strong'), bot('strong'), bot('strong')]))
    await turn(page, /give a clue/)
    await page.getByTestId('ideas').click()
    await page.locator('section[aria-labelledby="ideas-title"] li button').first().click({ timeout: 60_000 })
    await page.getByTestId('verdict').getByRole('listitem').first().waitFor({ timeout: 60_000 })
  },
  'codenames-over': async ({ page, open }) => {
    await open(codenames([bot('strong'), bot('strong'), bot('strong'), bot('strong')]))
    await page.getByTestId('result').waitFor({ timeout: 90_000 })
    await page.getByTestId('why').first().click()
    await page.locator('.why li').first().waitFor({ timeout: 60_000 })
  },
  'codenames-duet': async ({ page, open }) => {
    await open(codenames([bot('strong'), me], { mode: 'duet' }))
    await page.locator('.card-word').first().waitFor()
  },
  'crossword-playing': async ({ page, api, open }) => {
    const id = await open({ game: 'crossword', settings: { puzzle: 'en/01' }, seats: [me], options: { help: true } })
    for (const entry of [1, 3, 6]) await api(`/tables/${id}/actions`, { text: `reveal word ${entry}` })
    await page.locator('.revealed').first().waitFor()
  },
  'crossword-solver': async ({ page, open }) => {
    await open({ game: 'crossword', settings: { puzzle: 'en/02' }, seats: [me], options: { help: true } })
    await page.getByRole('button', { name: 'Solve the rest' }).click()
    await page.getByTestId('why').waitFor({ timeout: 60_000 })
  },
  'crossword-solved': async ({ page, api, open }) => {
    const id = await open({ game: 'crossword', settings: { puzzle: 'en/01' }, seats: [me], options: { help: true } })
    await api(`/tables/${id}/actions`, { text: 'reveal grid' })
    await page.getByTestId('result').waitFor()
  },
  'homeguard-playing': async ({ page, open }) => {
    await open({ game: 'homeguard', settings: { size: 9 }, seats: [me, bot('private')], options: { help: true } })
    await turn(page, /order/)
    await page.getByRole('button', { name: 'Show threats' }).click()
    await page.locator('.worst').first().waitFor()
  },
  'homeguard-rating': async ({ page, open }) => {
    await open({ game: 'homeguard', settings: { size: 7 }, seats: [me, bot('private')], options: { help: true } })
    await page.getByTestId('jump').click()
  },
  'homeguard-gallery': async ({ page, open }) => {
    await open({ game: 'homeguard', settings: { size: 7 }, seats: [me, bot('private')], options: { help: true } })
    await page.getByTestId('gallery').click()
    await page.getByTestId('kinds').getByRole('listitem').first().waitFor()
  },
  invite: async ({ page, open }) => {
    await open({ game: 'gomoku', seats: [me, me] })
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('dialog').waitFor()
  },
}
