/** End-to-end tests of crosswords. */

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { base, DESKTOP, expectNoErrors, openTable, PHONE, expectStatus, SIZES, newUser, violations, withBrowser } from './harness'

withBrowser()

const IPUZ = {
  version: 'http://ipuz.org/v2',
  kind: ['http://ipuz.org/crossword#1'],
  title: 'Tiny',
  locale: 'en',
  dimensions: { width: 3, height: 3 },
  puzzle: [
    [1, 0, 2],
    [0, '#', 0],
    [3, 0, 0],
  ],
  solution: [
    ['C', 'A', 'T'],
    ['O', '#', 'E'],
    ['W', 'E', 'N'],
  ],
  clues: {
    Across: [
      [1, 'Purring pet'],
      [3, 'Harmless cyst'],
    ],
    Down: [
      [1, 'It gives milk'],
      [2, 'Fingers of two hands'],
    ],
  },
}
const { solution: _, ...UNSOLVED } = IPUZ
const table = (puzzle: object = IPUZ) => ({ game: 'crossword', settings: { file: JSON.stringify(puzzle) }, seats: [{ kind: 'me' }], options: { help: true } })

const cell = (page: Page, row: number, col: number) => page.getByRole('gridcell', { name: new RegExp(`^row ${row}, column ${col},`) })
const reads = (page: Page, row: number, col: number, text: RegExp) => expect.poll(() => cell(page, row, col).getAttribute('aria-label')).toMatch(text)

async function clickCell(page: Page, row: number, col: number): Promise<void> {
  const box = (await cell(page, row, col).boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

describe('crossword', () => {
  it('a small puzzle to the end: keys, pencil, check, hints, reload', async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openTable(page, table())
    await page.getByTestId('board').focus()
    await page.getByTestId('clue').getByText('Purring pet').waitFor()

    await page.keyboard.type('cat')
    await reads(page, 1, 3, /, T/)
    // A full word leads to the next one; Tab and Space lead elsewhere.
    await page.getByTestId('clue').getByText('Harmless cyst').waitFor()
    await page.keyboard.press('Tab')
    await page.getByTestId('clue').getByText('It gives milk').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.getByTestId('clue').getByText('Harmless cyst').waitFor()
    await page.keyboard.press('Space')
    await page.getByTestId('clue').getByText('It gives milk').waitFor()

    await clickCell(page, 2, 1)
    await page.keyboard.press('.')
    await page.keyboard.press('x')
    await reads(page, 2, 1, /X, in pencil/)
    await page.keyboard.press('.')
    await page.getByRole('group', { name: 'Check' }).getByRole('button', { name: /Word/ }).click()
    await page.getByText('1 letter is wrong.').first().waitFor()
    await reads(page, 2, 1, /wrong/)

    await page.reload()
    await page.getByTestId('board').waitFor()
    await reads(page, 1, 1, /, C/)
    await reads(page, 2, 1, /X.*wrong/)

    await clickCell(page, 2, 1)
    await page.keyboard.press('Backspace')
    await reads(page, 2, 1, /empty/)
    await page.keyboard.press('o')
    await clickCell(page, 3, 2)
    await page.getByRole('button', { name: 'Hint', exact: true }).click()
    await page.getByTestId('hints').getByRole('listitem').first().waitFor({ timeout: 20_000 })
    await page.getByRole('button', { name: 'Vowels and consonants' }).click()
    await page
      .getByTestId('hints')
      .getByText(/Pattern:/)
      .waitFor()
    await page
      .getByRole('group', { name: 'Show' })
      .getByRole('button', { name: /Letter/ })
      .click()
    await reads(page, 3, 2, /E, shown/)
    await clickCell(page, 3, 1)
    await page.keyboard.type('w')
    await clickCell(page, 2, 3)
    await page.keyboard.type('e')
    await clickCell(page, 3, 3)
    await page.keyboard.type('n')
    await expectStatus(page, /Solved/)
    await expectNoErrors(user)
  })

  it('two users see each other write', async () => {
    const ada = await newUser(DESKTOP)
    const id = await openTable(ada.page, table())
    const bob = await newUser(DESKTOP)
    await bob.page.goto(`${base}/t/${id}`)
    await bob.page.getByRole('button', { name: 'Sit here' }).click()
    await ada.page.getByRole('list', { name: 'Players' }).getByText('Solver 2').waitFor()
    await expect.poll(() => bob.page.getByRole('list', { name: 'Players' }).getByText('You').count()).toBe(1)
    await bob.page.getByTestId('board').focus()
    await clickCell(bob.page, 3, 3)
    await bob.page.keyboard.type('n')
    await reads(ada.page, 3, 3, /, N/)
    await ada.page.locator('.other-cursor').waitFor()
    await ada.page.getByTestId('board').focus()
    await ada.page.keyboard.type('ca')
    await reads(bob.page, 1, 2, /, A/)
    await expectNoErrors(ada)
    await expectNoErrors(bob)
  })

  it('without a solution: proposals with confidence, replay', async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openTable(page, table(UNSOLVED))
    await page.getByText('This puzzle came without its solution').waitFor()
    await page.getByRole('button', { name: 'Solve the rest' }).click()
    await page.getByTestId('why').waitFor({ timeout: 60_000 })
    await reads(page, 1, 1, /\d+ ?%/)
    await page
      .getByTestId('why')
      .getByText(/By meaning, number \d+ of \d+/)
      .waitFor()
    await page.getByRole('button', { name: 'How it solves' }).click()
    await page.getByRole('slider', { name: 'Moment' }).waitFor({ timeout: 60_000 })
    await page.getByTestId('solver').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Solve the rest' }).click()
    await page.getByRole('button', { name: /Write all \d+ in pencil/ }).click({ timeout: 60_000 })
    await page.getByRole('button', { name: 'It is done' }).click()
    await expectStatus(page, /The grid is full/)
    await expectNoErrors(user)
  })

  it('conflicts are reported before anything is written', async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openTable(page, table(UNSOLVED))
    await page.getByTestId('board').focus()
    await page.keyboard.type('qxz')
    await reads(page, 1, 3, /, Z/)
    await page.getByRole('button', { name: 'Solve the rest' }).click()
    await page
      .getByTestId('conflicts')
      .getByText(/1 across: no known word fits/i)
      .waitFor({ timeout: 60_000 })
    await expectNoErrors(user)
  })

  it('export for printing', async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openTable(page, table())
    for (const [name, ending] of [
      ['Empty grid (PDF)', 'pdf'],
      ['With my letters (PDF)', 'pdf'],
      ['Picture (SVG)', 'svg'],
    ] as const) {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
      expect(file.suggestedFilename()).toBe(`Tiny.${ending}`)
    }
    await expectNoErrors(user)
  })

  it('puzzle sources: library, file, editor', async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await page.goto(`${base}/g/crossword`)
    await page.locator('.library .puzzle').first().click()
    await page.getByLabel('From a file').check()
    await page.locator('input[type=file]').setInputFiles({ name: 'tiny.ipuz', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(IPUZ)) })
    await page.getByTestId('opened').getByText('Tiny').waitFor()
    await page.getByLabel('Type one in').check()
    await page.getByRole('button', { name: 'row 3, column 3' }).click()
    await page.getByRole('textbox').first().fill('Opposite of yes, once more')
    await page.getByLabel('From the library').check()
    await page.locator('.library .puzzle').first().click()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByTestId('board').waitFor()
    await expectNoErrors(user)
  })

  it('phone: on-screen keyboard below the clue', async () => {
    const user = await newUser(PHONE)
    const { page } = user
    await openTable(page, table())
    for (const letter of 'CAT') await page.getByRole('group', { name: 'Letters' }).getByRole('button', { name: letter, exact: true }).tap()
    await reads(page, 1, 3, /, T/)
    const clue = (await page.getByTestId('clue').boundingBox())!
    const keys = (await page.getByRole('group', { name: 'Letters' }).boundingBox())!
    expect(clue.y + clue.height).toBeLessThanOrEqual(keys.y)
    expect(keys.y + keys.height).toBeLessThanOrEqual(844)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectNoErrors(user)
  })

  it('phone: a wide grid zooms and follows the cursor', async () => {
    const user = await newUser(PHONE)
    const { page } = user
    const row = Array.from({ length: 21 }, (_, at) => (at === 0 ? 1 : 0))
    await openTable(page, table({ ...UNSOLVED, dimensions: { width: 21, height: 1 }, puzzle: [row], clues: { Across: [[1, 'Something long']] } }))
    const side = async () => (await cell(page, 1, 1).boundingBox())!.width
    await expect.poll(side).toBeGreaterThan(30)
    await page.getByRole('button', { name: 'Larger cells' }).tap()
    await expect.poll(side).toBeLessThan(20)
    await page.getByRole('button', { name: 'Larger cells' }).tap()
    await expect.poll(side).toBeGreaterThan(30)
    for (const letter of 'ABCDEFGHIJKLMNO') await page.getByRole('group', { name: 'Letters' }).getByRole('button', { name: letter, exact: true }).tap()
    await expect.poll(async () => (await cell(page, 1, 16).boundingBox())!.x).toBeLessThan(390)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectNoErrors(user)
  })
})

describe.each(SIZES)('crossword on %s', (_, size) => {
  it.each(['light', 'dark'] as const)('no accessibility violations, %s', async (colorScheme) => {
    const user = await newUser({ ...size, colorScheme, reducedMotion: 'reduce' })
    const { page } = user
    await page.goto(`${base}/g/crossword`)
    await page.locator('.library .puzzle').first().waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Type one in').check()
    expect(await violations(page)).toEqual([])
    await openTable(page, table())
    await page.getByRole('button', { name: 'Hint', exact: true }).click()
    await page.getByTestId('hints').getByRole('listitem').first().waitFor({ timeout: 20_000 })
    await page.getByRole('button', { name: 'Solve the rest' }).click()
    await page.getByTestId('why').waitFor({ timeout: 60_000 })
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Several letters' }).click()
    expect(await violations(page)).toEqual([])
    await expectNoErrors(user)
  })
})
