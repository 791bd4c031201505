/** axe-core reports no violation on any kind of page, wide and narrow, light and dark. */

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { base, clickPoint, expectNoErrors, openTable, expectStatus, SIZES, newUser, expectStones, violations, withBrowser } from './harness'

withBrowser()

describe.each(SIZES)('%s', (_, size) => {
  it.each(['light', 'dark'] as const)('%s', async (colorScheme) => {
    const user = await newUser({ ...size, colorScheme, reducedMotion: 'reduce' })
    const { page } = user
    await page.goto(base)
    await page.getByRole('article').first().locator('svg').waitFor()
    expect(await violations(page)).toEqual([])

    await page.goto(`${base}/g/gomoku`)
    await page.getByRole('button', { name: 'Start' }).waitFor()
    expect(await violations(page)).toEqual([])

    await openTable(page, { game: 'gomoku', settings: { stones: 'h8i9h9h10i8g8j7a1' }, seats: [{ kind: 'me' }, { kind: 'me' }] })
    await clickPoint(page, 'J8')
    await confirmIfAsked(page)
    await expectStones(page, 9)
    for (const name of ['Numbers', 'Heat map', 'Threats']) await page.getByRole('button', { name }).click()
    await page.locator('.heat').first().waitFor()
    await page.getByText('Analysis', { exact: true }).click()
    await page.getByRole('button', { name: 'Think 1 second' }).click()
    await page.getByTestId('analysis').getByRole('listitem').first().waitFor()
    await page.getByText('Save and open').click()
    await page.getByRole('button', { name: 'Resign' }).click()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Really resign' }).click()
    await expectStatus(page, /won/)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('slider').waitFor({ timeout: 40_000 })
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await violations(page)).toEqual([])
    await expectNoErrors(user)
  })
})

async function confirmIfAsked(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Place J8' })
  if (await button.isVisible()) await button.click()
}
