/** The director: a game among computers plays in front of the viewer and can be skipped. */

import { describe, expect, it } from 'vitest'
import { base, expectNoErrors, newUser, stones, withBrowser } from './harness'

withBrowser()

describe('director', () => {
  it('shows a watched game from its first move, pauses and skips', async () => {
    const user = await newUser()
    const { page } = user
    await page.addInitScript(() => localStorage.setItem('parlour.prefs', JSON.stringify({ tempo: 'relaxed' })))
    await page.goto(`${base}/g/gomoku`)
    await page.getByRole('radio', { name: 'Only watch' }).check()
    await page.getByRole('radio', { name: 'Beginner' }).check()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByTestId('board').waitFor()
    expect(await stones(page).count()).toBeLessThan(4)
    await expect.poll(() => stones(page).count()).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Pause' }).click()
    const paused = await stones(page).count()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    expect(await stones(page).count()).toBe(paused)
    await page.getByRole('button', { name: 'Skip' }).click()
    await expect.poll(() => stones(page).count()).toBeGreaterThan(paused)
    await expectNoErrors(user)
  })
})
