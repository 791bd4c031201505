/** The first evening: Homeguard. */

import { describe, expect, it } from 'vitest'
import { DESKTOP, expectCalm, openTable, PHONE, says, somebody, status, withBrowser } from './house'

withBrowser()

const FIGHT = { game: 'homeguard', settings: { size: 7 }, seats: [{ kind: 'me' }, { kind: 'bot', level: 'recruit' }] }

describe('homeguard', () => {
  it('I order both soldiers, change my mind, commit, rate the map and get the next one', async () => {
    const person = await somebody(DESKTOP)
    const { page } = person
    await openTable(page, FIGHT)
    await says(page, /Give both soldiers an order/)
    const commit = page.getByTestId('commit')
    expect(await commit.isDisabled()).toBe(true)

    await page.getByRole('button', { name: 'Soldier 1 stays' }).click()
    await page.getByRole('button', { name: 'Soldier 2 stays' }).click()
    expect(await commit.isEnabled()).toBe(true)
    await page.getByRole('button', { name: 'Take orders back' }).click()
    expect(await commit.isDisabled()).toBe(true)

    await page.getByRole('button', { name: 'Show threats' }).click()
    for (let round = 0; round < 3; round++) {
      if (!/Give both/.test((await status(page).textContent()) ?? '')) break
      await page.getByRole('button', { name: 'Hint' }).click()
      await expect.poll(() => commit.isEnabled()).toBe(true)
      await commit.click()
      await expect.poll(async () => (await page.getByRole('heading', { name: /^Round/ }).textContent()) ?? '', { timeout: 15_000 }).not.toContain(`Round ${round + 1}`)
    }
    expect(await page.getByRole('heading', { name: 'What happened' }).locator('..').getByRole('listitem').count()).toBeGreaterThan(0)

    await page.getByTestId('rate2').click()
    await expect.poll(() => page.getByTestId('rate2').getAttribute('aria-pressed')).toBe('true')
    const before = page.url()
    await page.getByTestId('next').click()
    await expect.poll(() => page.url(), { timeout: 20_000 }).not.toBe(before)
    await says(page, /Give both soldiers an order/)
    await page.getByText('Why this map').waitFor()
    await page.getByText('My taste').click()
    await page.getByText('1 rating').waitFor()
    await expectCalm(person)
  })

  it('can be played by keyboard and fits a phone', async () => {
    const person = await somebody(PHONE)
    const { page } = person
    await openTable(page, FIGHT)
    await page.getByTestId('board').focus()
    await page.keyboard.press('F1')
    await page.keyboard.press('F1')
    await expect.poll(() => page.getByTestId('commit').isEnabled()).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectCalm(person)
  })
})
