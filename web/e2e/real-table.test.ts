/** Codenames at a real table, on a phone. */

import { describe, expect, it } from 'vitest'
import { base, expectNoErrors, newUser, PHONE, violations, withBrowser } from './harness'

withBrowser()

const WORDS = 'wave beach ship river doctor hospital nurse piano drum guitar apple bread cheese train car bus king queen castle lion tiger bear snow rain sun'.split(' ')

describe('a real table', () => {
  it('words, key, ideas and guesses', { timeout: 120_000 }, async () => {
    const user = await newUser(PHONE)
    const { page } = user
    await page.goto(base)
    await page.getByRole('link', { name: 'Put the board in' }).tap()
    await page.getByTestId('real-words').fill(WORDS.join(', '))
    await page.getByText('25 / 25').waitFor()
    await page.getByTestId('real-next').tap()
    const card = (word: string) => page.locator('.card-word', { hasText: new RegExp(`^\\s*${word}`) })
    for (const word of ['wave', 'beach', 'ship', 'river']) await card(word).tap()
    await page.getByRole('radio', { name: /assassin/ }).check()
    await card('doctor').tap()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('real-play').tap()
    await page.getByTestId('real-ideas').tap()
    await page.getByTestId('real-list').locator('> li').nth(4).waitFor({ timeout: 60_000 })
    await page.getByTestId('real-list').getByRole('button').first().tap()
    expect(await page.locator('.card-word.target').count()).toBeGreaterThan(0)
    await card('wave').tap()
    await expect.poll(() => card('wave').getAttribute('aria-pressed')).toBe('true')
    await page.reload()
    await page.getByRole('radio', { name: 'I guess' }).check()
    await page.getByTestId('real-clue').fill('ocean')
    await page.getByRole('button', { name: 'What would you guess?' }).tap()
    await page.getByRole('listitem').first().waitFor({ timeout: 60_000 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await violations(page)).toEqual([])
    await expectNoErrors(user)
  })
})
