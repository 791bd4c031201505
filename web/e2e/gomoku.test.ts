/** The first evening: Gomoku. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cell, clickPoint, expectCalm, openTable, PHONE, placeStone, says, somebody, stones, untilStones, withBrowser } from './house'

withBrowser()

const AGAINST = (level: string, settings = {}) => ({ game: 'gomoku', settings, seats: [{ kind: 'me' }, { kind: 'bot', level }] })

describe('gomoku', () => {
  it('I lose, review, see what I missed, go back, save the game', async () => {
    const person = await somebody()
    const { page } = person
    await openTable(page, AGAINST('strong'))
    // Moves along the edge lose quickly.
    for (const point of ['A1', 'O15', 'A15', 'O1', 'C1', 'E15', 'A7', 'O9', 'G1', 'K15', 'A11', 'O5']) {
      if (/You lost/.test((await page.getByTestId('status').textContent()) ?? '')) break
      if (!/empty/.test((await cell(page, point).getAttribute('aria-label')) ?? '')) continue
      const before = await stones(page).count()
      await clickPoint(page, point)
      await expect.poll(async () => (await stones(page).count()) > before + 1 || /You lost/.test((await page.getByTestId('status').textContent()) ?? ''), { timeout: 15_000 }).toBe(true)
    }
    await says(page, /You lost/)

    await page.getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('region', { name: 'Review' })
    await review.getByRole('slider').waitFor({ timeout: 40_000 })
    const moments = review.getByRole('listitem').getByRole('button')
    await expect.poll(() => moments.count()).toBeGreaterThan(0)
    await moments.last().click()
    await says(page, /Looking at move/)

    await page.getByRole('button', { name: 'Heat map' }).click()
    await page.locator('.heat').first().waitFor()
    await page.getByRole('button', { name: 'Threats' }).click()
    await page.getByRole('button', { name: 'Numbers' }).click()
    await page.locator('.number').first().waitFor()

    await page.getByText('Save and open').click()
    for (const [button, ending, content] of [
      ['psq', '.psq', /Piskvorky/i],
      ['SGF', '.sgf', /^\(;/],
      ['SVG', '.svg', /^<svg/],
      ['PNG', '.png', /PNG/],
    ] as const) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button, exact: true }).click()])
      expect(download.suggestedFilename()).toContain(ending)
      expect(readFileSync(await download.path(), 'latin1')).toMatch(content)
    }

    await page.getByRole('button', { name: 'Undo to here' }).click()
    await says(page, /Your turn/)
    await expectCalm(person)
  })

  it('at level Beginner I win with hints, by keyboard alone', async () => {
    const person = await somebody()
    const { page } = person
    await openTable(page, AGAINST('beginner'))
    const board = page.getByTestId('board')
    await board.focus()
    await page.keyboard.press('Enter')
    for (let move = 0; move < 40; move++) {
      await expect.poll(async () => (await page.getByTestId('status').textContent()) ?? '', { timeout: 15_000 }).toMatch(/Your turn|You (won|lost)/)
      if (!/Your turn/.test((await page.getByTestId('status').textContent()) ?? '')) break
      const before = await stones(page).count()
      await page.keyboard.press('h')
      await page.getByRole('region', { name: 'Hint' }).waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => stones(page).count()).toBeGreaterThan(before)
    }
    await says(page, /You won\. Five in a row/)
    expect(await page.getByTestId('spoken').textContent()).toMatch(/You won/)
    await page.getByRole('button', { name: 'Rematch' }).click()
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'You' }).filter({ hasText: 'White' }).count()).toBe(1)
    await expectCalm(person)
  })

  it('steps through the moves with the arrow keys and takes back', async () => {
    const person = await somebody()
    const { page } = person
    await openTable(page, AGAINST('casual'))
    await clickPoint(page, 'H8')
    await untilStones(page, 2)
    await clickPoint(page, 'A1')
    await untilStones(page, 4)
    await page.getByRole('button', { name: /^1\s*\. Black/ }).click()
    await untilStones(page, 1)
    await page.keyboard.press('ArrowRight')
    await untilStones(page, 2)
    await page.keyboard.press('Home')
    await untilStones(page, 0)
    await page.keyboard.press('End')
    await untilStones(page, 4)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await untilStones(page, 2)
    await page.getByRole('button', { name: 'Redo' }).click()
    await untilStones(page, 4)
    await expectCalm(person)
  })

  it('marks forbidden points in renju and settles colours by swap2', async () => {
    const person = await somebody()
    const { page } = person
    // A cross of two open twos: black's point in the middle would make a double three.
    await openTable(page, { game: 'gomoku', settings: { rule: 'renju', stones: 'h9a1h10a3i8a5j8a7' }, seats: [{ kind: 'me' }, { kind: 'me' }] })
    await cell(page, 'H8').and(page.getByRole('gridcell', { name: /forbidden/ })).waitFor()

    await openTable(page, { game: 'gomoku', settings: { opening: 'swap2' }, seats: [{ kind: 'me' }, { kind: 'me' }] })
    for (const point of ['H8', 'I9', 'H9']) await placeStone(page, point)
    await page.getByRole('button', { name: 'Add two stones' }).click()
    for (const point of ['J10', 'G7']) await placeStone(page, point)
    await page.getByRole('group', { name: 'Which side do you take?' }).getByRole('button', { name: 'White' }).click()
    await says(page, /Your turn: place a white stone/)
    await expectCalm(person)
  })

  it('opens a game from its text and analyses it', async () => {
    const person = await somebody()
    const { page } = person
    await openTable(page, AGAINST('casual'))
    await page.getByText('Save and open').click()
    await page.getByLabel(/Paste psq/).fill('h8 i9 h9 h10 i8 g8 j8')
    await page.getByRole('button', { name: 'Step through it' }).click()
    await untilStones(page, 7)
    await page.getByText('Analysis', { exact: true }).click()
    await page.getByRole('button', { name: 'Think 1 second' }).click()
    const line = page.getByTestId('analysis').getByRole('listitem').first()
    await line.waitFor()
    await line.getByRole('button').hover()
    await expectCalm(person)
  })

  it('asks before a tap plays on the phone', async () => {
    const person = await somebody(PHONE)
    const { page } = person
    await openTable(page, AGAINST('casual'))
    const box = (await cell(page, 'H8').boundingBox())!
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await page.getByRole('button', { name: 'Place H8' }).tap()
    await untilStones(page, 2)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectCalm(person)
  })
})
