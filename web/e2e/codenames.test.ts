/** End-to-end tests of Codenames. */

import type { Page } from 'playwright-core'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DESKTOP, expectNoErrors, openTable, newUser, violations, withBrowser } from './harness'

withBrowser()

const BOT = { kind: 'bot', level: 'strong' }
const ME = { kind: 'me' }
/** The user is the red operative; computers take the other seats. */
const OPERATIVE = { game: 'codenames', settings: { lang: 'en' }, seats: [BOT, ME, BOT, BOT] }
/** The user is the red spymaster. */
const SPYMASTER = { game: 'codenames', settings: { lang: 'en' }, seats: [ME, BOT, BOT, BOT] }
const SLOW = 60_000

const cards = (page: Page) => page.getByRole('group', { name: 'Board of 25 words' }).getByRole('button')
const turned = (page: Page) => page.locator('.card-word.turned')
const picture = (page: Page, name: string) => page.screenshot({ path: join(import.meta.dirname, `../test-results/codenames ${name}.png`), fullPage: true })

/** Waits for this prompt or the end of the game; returns whether it is the prompt. */
async function myTurn(page: Page, prompt: RegExp): Promise<boolean> {
  const status = page.getByTestId('status')
  await status.filter({ hasText: new RegExp(`${prompt.source}|won|wins|lost|over|found|assassin`, 'i') }).waitFor({ timeout: SLOW })
  return prompt.test((await status.textContent()) ?? '')
}

describe('codenames', () => {
  it('as operative: a clue appears, guesses, stop, explanation', { timeout: 4 * SLOW }, async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openTable(page, OPERATIVE)
    expect(await cards(page).count()).toBe(25)
    expect(await page.locator('.card-word.red:not(.turned), .card-word.assassin:not(.turned)').count()).toBe(0)
    expect(await myTurn(page, /guess a card/)).toBe(true)
    await expect.poll(() => page.getByTestId('clue').textContent()).toMatch(/\p{L}+\s+\d/u)
    expect(await page.getByTestId('stop').isDisabled()).toBe(true)
    await picture(page, 'operative')
    const before = await turned(page).count()
    await page.locator('.card-word:not(.turned)').first().click()
    await expect.poll(() => turned(page).count(), { timeout: SLOW }).toBeGreaterThan(before)
    if (await page.getByTestId('stop').isVisible()) await page.getByTestId('stop').click()
    await page.getByTestId('why').first().waitFor({ timeout: SLOW })
    await page.getByTestId('why').first().click()
    await page.locator('.why li').first().waitFor({ timeout: SLOW })
    expect(await page.locator('.why meter').count()).toBeGreaterThan(2)
    await picture(page, 'why')
    expect(await violations(page)).toEqual([])
    await expectNoErrors(user)
  })

  it('as spymaster: an illegal clue is explained at once, a legal one is previewed privately', { timeout: 4 * SLOW }, async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openTable(page, SPYMASTER)
    expect(await myTurn(page, /give a clue/)).toBe(true)
    const open = page.locator('.card-word:not(.turned)').first()
    const word = ((await open.locator('.text').textContent()) ?? '').trim()
    const entry = page.getByTestId('clue-word')
    await entry.fill(`${word}s`)
    await page.getByTestId('verdict').getByText(word.toUpperCase()).waitFor({ timeout: SLOW })
    expect(await page.getByTestId('verdict').getByRole('listitem').count()).toBe(0)
    await picture(page, 'refused')

    await page.getByTestId('ideas').click()
    await page.locator('section[aria-labelledby="ideas-title"] li').nth(4).waitFor({ timeout: SLOW })
    await page.locator('section[aria-labelledby="ideas-title"] li button').first().click()
    await page.getByText('This clue is allowed.').waitFor({ timeout: SLOW })
    expect(await page.getByTestId('verdict').getByRole('listitem').count()).toBeGreaterThan(0)
    await picture(page, 'spymaster')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Give the clue' }).click()
    await expect.poll(() => turned(page).count(), { timeout: SLOW }).toBeGreaterThan(0)
    await expectNoErrors(user)
  })

  it('a whole game with computers, similarities, blind rating', { timeout: 8 * SLOW }, async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openTable(page, SPYMASTER)
    for (let turn = 0; turn < 12 && (await myTurn(page, /give a clue/)); turn++) {
      const before = await turned(page).count()
      await page.getByTestId('ideas').click()
      await page.locator('section[aria-labelledby="ideas-title"] li button').first().click({ timeout: SLOW })
      await page.getByText('This clue is allowed.').waitFor({ timeout: SLOW })
      await page.getByRole('button', { name: 'Give the clue' }).click()
      await expect.poll(() => turned(page).count(), { timeout: SLOW }).toBeGreaterThan(before)
    }
    await page.getByText('How close all words are').click({ timeout: SLOW })
    await page.getByRole('button', { name: 'Show the table' }).click()
    await page.getByRole('rowheader').first().waitFor({ timeout: SLOW })
    await picture(page, 'over')
    await page.getByText('Rate clues blind').click()
    await page.getByTestId('rating-begin').click()
    for (let clue = 0; clue < 3; clue++) {
      await page.locator('.small-card:enabled').nth(clue).click({ timeout: SLOW })
      await page.getByTestId('rating-answer').click()
    }
    await page.getByTestId('rating-result').waitFor({ timeout: SLOW })
    expect(await page.getByTestId('rating-result').getByRole('row').count()).toBe(4)
    expect(await violations(page)).toEqual([])
    await expectNoErrors(user)
  })
})
