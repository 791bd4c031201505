/** End-to-end tests of Scrabble. */

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { base, DESKTOP, expectNoErrors, openTable, PHONE, expectStatus, SIZES, newUser, status, violations, withBrowser } from './harness'

withBrowser()

const game = (language = 'en', more: object = {}) => ({ game: 'scrabble', settings: { language, ...more }, seats: [{ kind: 'me' }, { kind: 'bot', level: 'casual' }], options: { help: true } })

interface Hint {
  at: string | null
  word: string | null
}

/** Requests a hint over the API, without the page. */
const advice = (page: Page): Promise<Hint> =>
  page.evaluate(async () => {
    const answer = await fetch(`/api/v1${location.pathname.replace('/t/', '/tables/')}/services/hint`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"depth":3}' })
    return (await answer.json()) as Hint
  })

const myTurn = (page: Page) => expectStatus(page, /^Your turn|^You won|^You lost|^A draw/, 30_000)
const over = async (page: Page) => /won|lost|draw/.test((await status(page).textContent()) ?? '')
const square = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name},`) })
const tile = (page: Page, index: number) => page.locator('[data-tile]').nth(index)
const play = (page: Page) => page.getByTestId('play')

async function clickSquare(page: Page, name: string): Promise<void> {
  const box = (await square(page, name).boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** Opens tables until the first rack suits the test. */
async function openWith(page: Page, request: object, wanted: (letters: string[]) => boolean): Promise<void> {
  for (let tries = 0; tries < 80; tries++) {
    await openTable(page, request)
    await myTurn(page)
    const letters = await page.locator('[data-tile]').evaluateAll((tiles) => tiles.map((tile) => (tile as HTMLElement).dataset.tile!))
    if (wanted(letters)) return
  }
  throw new Error('no table had the right hand')
}

/** Types a move at its square. */
async function typeMove(page: Page, { at, word }: Hint): Promise<void> {
  const down = /^[A-Z]/.test(at!)
  const [, row] = /(\d+)/.exec(at!)!
  const column = /[A-Z]/.exec(at!)![0]
  const letters = [...word!]
  const first = letters.findIndex((letter) => letter !== '.')
  const name = down ? `${column}${Number(row) + first}` : `${String.fromCharCode(column.charCodeAt(0) + first)}${row}`
  await page.keyboard.press('Escape')
  await clickSquare(page, name)
  if ((await page.locator('.arrow').getAttribute('transform'))?.includes('rotate(90)') !== down) await page.keyboard.press('Space')
  for (const letter of letters.filter((letter) => letter !== '.')) await page.keyboard.press(letter.toLowerCase())
}

describe('scrabble', () => {
  it('a whole game: typing, checks, hints, reload, report', async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openWith(page, game(), (letters) => !letters.includes('?'))

    const first = await advice(page)
    if (first.at) {
      await typeMove(page, first)
      await page.getByText(/^\d+ points?$/).waitFor()
      await page.locator('.word', { hasText: '✓' }).first().waitFor()
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Escape')
      expect(await page.locator('[data-tile]').count()).toBe(7)
      await typeMove(page, first)
      await page.keyboard.press('Enter')
      await page
        .getByRole('gridcell', { name: /last move/ })
        .first()
        .waitFor()
    }
    await expect.poll(() => page.locator('.moves li button').count(), { timeout: 30_000 }).toBeGreaterThan(1)
    await myTurn(page)

    const moves = await page.locator('.moves li button').count()
    await page.reload()
    await page.getByTestId('board').waitFor()
    expect(await page.locator('.moves li button').count()).toBe(moves)
    await myTurn(page)

    for (let turn = 0; turn < 60 && !(await over(page)); turn++) {
      const before = await page.locator('.moves li button').count()
      await page.getByRole('button', { name: 'Hint' }).click()
      await expect.poll(() => page.locator('.hinted').textContent()).toMatch(/^A good move begins|^Better than any word|^There is nothing/)
      await page.getByRole('button', { name: 'Tell me more' }).click()
      await expect.poll(() => page.locator('.hinted').textContent()).toMatch(/^It uses|exchange|pass/)
      await page.getByRole('button', { name: 'Tell me more' }).click()
      const lay = page.getByRole('button', { name: 'Lay these tiles' })
      await expect.poll(() => page.getByRole('button', { name: 'Tell me more' }).count()).toBe(0)
      if (await lay.isVisible()) {
        await lay.click()
        await play(page).click()
      } else {
        await page.getByRole('button', { name: 'Pass', exact: true }).click()
        await page.getByRole('button', { name: 'Really pass' }).click()
      }
      await expect.poll(() => page.locator('.moves li button').count(), { timeout: 30_000 }).toBeGreaterThan(before)
      await myTurn(page)
    }
    expect(await over(page)).toBe(true)

    const report = page.getByTestId('report')
    await report.getByText('The highest score was').waitFor({ timeout: 40_000 })
    const saved = page.waitForEvent('download')
    await report.getByRole('button', { name: 'Record (GCG)' }).click()
    expect((await saved).suggestedFilename()).toBe('scrabble.gcg')
    await report.getByRole('button', { name: 'Step through the game' }).click()
    await page.getByRole('button', { name: 'One move on' }).first().click()
    await report.getByLabel('Points').check()
    await page.getByRole('button', { name: 'Back to the table' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('slider').waitFor({ timeout: 40_000 })
    await expectNoErrors(user)
  })

  it('refusals with reasons, drag and drop, exchange, blanks', async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openWith(page, game(), (letters) => letters.includes('?'))
    const fresh = (await page.getByRole('gridcell', { name: /last move/ }).count()) === 0

    const from = (await tile(page, 0).boundingBox())!
    const to = (await square(page, 'A1').boundingBox())!
    await page.mouse.move(from.x + 20, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, to.y + 40)
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2)
    await page.mouse.up()
    if (await page.getByRole('dialog').isVisible()) await page.getByRole('dialog').getByRole('button', { name: 'S', exact: true }).click()
    await square(page, 'A1')
      .and(page.getByLabel(/your tile/))
      .waitFor()
    await play(page).click()
    await page.locator('.refusal', { hasText: fresh ? 'The first word covers the star.' : 'The tiles must touch a word' }).waitFor()
    await page.keyboard.press('Escape')

    // A blank opens the letter dialog once.
    await page.locator('[data-tile="?"]').first().click()
    await clickSquare(page, 'A3')
    await page.getByRole('dialog').getByRole('button', { name: 'Z', exact: true }).click()
    await square(page, 'A3')
      .and(page.getByLabel(/your tile Z/))
      .waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Take back' }).click()

    await page.getByRole('button', { name: 'Exchange', exact: true }).click()
    await tile(page, 0).click()
    await tile(page, 1).click()
    await page.getByRole('button', { name: 'Exchange 2 tiles' }).click()
    await page.locator('.moves', { hasText: /exchange / }).waitFor()
    await expectNoErrors(user)
  })

  it('stepping through a record', async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openTable(page, game())
    await page.getByText('Open a record').click()
    await page.getByLabel('Or paste a game in GCG').fill('#player1 Ada Ada\n#player2 Bob Bob\n>Ada: AEINRST 8D STAINER +66 66\n>Bob: DEEHOTW 9C TOWHEE +30 30\n')
    await page.getByRole('button', { name: 'Step through it' }).click()
    await page.getByTestId('report').getByRole('heading', { name: 'Record' }).waitFor({ timeout: 30_000 })
    await page.getByText(/^Ada: 8D STAINER/).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText(/^Bob: 9C TOWHEE/).waitFor()
    await square(page, 'D8')
      .and(page.getByLabel(/S, 1 point/))
      .waitFor()
    await page.getByRole('button', { name: 'Back to the table' }).click()
    await expect.poll(() => square(page, 'D8').getAttribute('aria-label')).not.toMatch(/S, 1 point, /)
    await expectNoErrors(user)
  })

  it('phone: taps, zoom, Polish tiles', async () => {
    const user = await newUser({ ...PHONE, locale: 'pl-PL' })
    const { page } = user
    await page.goto(base)
    await page
      .getByRole('button', { name: /Scrabble/ })
      .first()
      .tap()
    await page.getByTestId('board').waitFor()
    await expectStatus(page, /Twój ruch/, 30_000)
    await page.getByTestId('unseen').locator('summary').tap()
    await page.getByTestId('unseen').getByText('Ź', { exact: true }).or(page.locator('[data-tile="Ź"]')).first().waitFor()
    await page.evaluate(() => scrollTo(0, 0))
    const box = (await page.locator('[id$="-0-0"]').boundingBox())!
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await expect.poll(async () => (await page.locator('[id$="-0-0"]').boundingBox())!.width).toBeGreaterThan(38)
    await page.locator('[data-tile]:not([data-tile="?"])').first().tap()
    await page.locator('[data-tile]:not([data-tile="?"])').first().tap()
    expect(await page.getByRole('gridcell', { name: /twoja płytka/ }).count()).toBe(2)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectNoErrors(user)
  })

  it('challenge mode', async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openWith(page, game('en', { challenge: 'double' }), (letters) => letters.every((letter) => letter !== '?'))
    if ((await page.getByRole('gridcell', { name: /last move/ }).count()) === 0) {
      // Five letters in rack order are no word.
      await clickSquare(page, 'H8')
      for (let i = 0; i < 5; i++) await tile(page, 0).click()
      await play(page).click()
      await expect.poll(() => page.locator('.moves li button').count(), { timeout: 30_000 }).toBeGreaterThan(1)
      await page.locator('.moves', { hasText: 'taken back' }).waitFor()
    } else {
      await page.getByRole('button', { name: 'Challenge' }).click()
      await page.locator('.moves', { hasText: /challenge (upheld|refused)/ }).waitFor()
    }
    await expectNoErrors(user)
  })
})

describe.each(SIZES)('scrabble on %s', (_, size) => {
  it.each(['light', 'dark'] as const)('no accessibility violations, %s', async (colorScheme) => {
    const user = await newUser({ ...size, colorScheme, reducedMotion: 'reduce' })
    const { page } = user
    await page.goto(`${base}/g/scrabble`)
    await page.getByRole('button', { name: 'Start' }).waitFor()
    expect(await violations(page)).toEqual([])

    await openTable(page, game())
    await myTurn(page)
    await page.getByRole('button', { name: 'Heat map' }).click()
    await page.locator('.heat').first().or(page.getByText('exchange')).first().waitFor()
    await page.getByRole('button', { name: 'Rank moves' }).click()
    await page.getByTestId('analysis').getByRole('row').nth(2).waitFor()
    await page.getByTestId('unseen').locator('summary').click()
    await page.getByText('Open a record').click()
    await page.getByTestId('analysis').locator('.text-button').first().click()
    await page.locator('.points').waitFor()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Resign' }).click()
    await page.getByRole('button', { name: 'Really resign' }).click()
    await page.getByTestId('report').getByText('Score').or(page.getByTestId('report').getByRole('paragraph').nth(1)).first().waitFor()
    expect(await violations(page)).toEqual([])
    await expectNoErrors(user)
  })
})
