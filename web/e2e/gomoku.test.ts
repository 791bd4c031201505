/** End-to-end tests of Gomoku. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cell, clickPoint, expectNoErrors, openTable, PHONE, placeStone, expectStatus, newUser, stones, expectStones, withBrowser } from './harness'

withBrowser()

const AGAINST = (level: string, settings = {}) => ({ game: 'gomoku', settings, seats: [{ kind: 'me' }, { kind: 'bot', level }] })

describe('gomoku', () => {
  it('loss, review, undo, export', async () => {
    const user = await newUser()
    const { page } = user
    await openTable(page, AGAINST('strong'))
    // Moves along the edge lose quickly.
    for (const point of ['A1', 'O15', 'A15', 'O1', 'C1', 'E15', 'A7', 'O9', 'G1', 'K15', 'A11', 'O5']) {
      if (/You lost/.test((await page.getByTestId('status').textContent()) ?? '')) break
      if (!/empty/.test((await cell(page, point).getAttribute('aria-label')) ?? '')) continue
      const before = await stones(page).count()
      await clickPoint(page, point)
      await expect.poll(async () => (await stones(page).count()) > before + 1 || /You lost/.test((await page.getByTestId('status').textContent()) ?? ''), { timeout: 15_000 }).toBe(true)
    }
    await expectStatus(page, /You lost/)

    await page.getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('region', { name: 'Review' })
    await review.getByRole('slider').waitFor({ timeout: 40_000 })
    const moments = review.getByRole('listitem').getByRole('button')
    await expect.poll(() => moments.count()).toBeGreaterThan(0)
    await moments.last().click()
    await expectStatus(page, /Looking at move/)

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
    await expectStatus(page, /Your turn/)
    await expectNoErrors(user)
  })

  it('a win against Beginner by keyboard alone', async () => {
    const user = await newUser()
    const { page } = user
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
    await expectStatus(page, /You won\. Five in a row/)
    expect(await page.getByTestId('announcement').textContent()).toMatch(/You won/)
    await page.getByRole('button', { name: 'Rematch' }).click()
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'You' }).filter({ hasText: 'White' }).count()).toBe(1)
    await expectNoErrors(user)
  })

  it('stepping with arrow keys, undo, redo', async () => {
    const user = await newUser()
    const { page } = user
    await openTable(page, AGAINST('casual'))
    await clickPoint(page, 'H8')
    await expectStones(page, 2)
    await clickPoint(page, 'A1')
    await expectStones(page, 4)
    await page.getByRole('button', { name: /^1\s*\. Black/ }).click()
    await expectStones(page, 1)
    await page.keyboard.press('ArrowRight')
    await expectStones(page, 2)
    await page.keyboard.press('Home')
    await expectStones(page, 0)
    await page.keyboard.press('End')
    await expectStones(page, 4)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expectStones(page, 2)
    await page.getByRole('button', { name: 'Redo' }).click()
    await expectStones(page, 4)
    await expectNoErrors(user)
  })

  it('renju forbidden points, swap2', async () => {
    const user = await newUser()
    const { page } = user
    // A cross of two open twos: the centre would be a double three for black.
    await openTable(page, { game: 'gomoku', settings: { rule: 'renju', stones: 'h9a1h10a3i8a5j8a7' }, seats: [{ kind: 'me' }, { kind: 'me' }] })
    await cell(page, 'H8')
      .and(page.getByRole('gridcell', { name: /forbidden/ }))
      .waitFor()

    await openTable(page, { game: 'gomoku', settings: { opening: 'swap2' }, seats: [{ kind: 'me' }, { kind: 'me' }] })
    for (const point of ['H8', 'I9', 'H9']) await placeStone(page, point)
    await page.getByRole('button', { name: 'Add two stones' }).click()
    for (const point of ['J10', 'G7']) await placeStone(page, point)
    await page.getByRole('group', { name: 'Which side do you take?' }).getByRole('button', { name: 'White' }).click()
    await expectStatus(page, /Your turn: place a white stone/)
    await expectNoErrors(user)
  })

  it('import and analysis', async () => {
    const user = await newUser()
    const { page } = user
    await openTable(page, AGAINST('casual'))
    await page.getByText('Save and open').click()
    await page.getByLabel(/Paste psq/).fill('h8 i9 h9 h10 i8 g8 j8')
    await page.getByRole('button', { name: 'Step through it' }).click()
    await expectStones(page, 7)
    await page.getByText('Analysis', { exact: true }).click()
    await page.getByRole('button', { name: 'Think 1 second' }).click()
    const line = page.getByTestId('analysis').getByRole('listitem').first()
    await line.waitFor()
    await line.getByRole('button').hover()
    await expectNoErrors(user)
  })

  it('phone: taps need confirmation', async () => {
    const user = await newUser(PHONE)
    const { page } = user
    await openTable(page, AGAINST('casual'))
    const box = (await cell(page, 'H8').boundingBox())!
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await page.getByRole('button', { name: 'Place H8' }).tap()
    await expectStones(page, 2)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectNoErrors(user)
  })
})
