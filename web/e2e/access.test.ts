/** axe finds nothing: every kind of page, wide and narrow, light and dark. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { base, clickPoint, DESKTOP, expectCalm, openTable, PHONE, says, somebody, untilStones, withBrowser } from './house'

withBrowser()

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const axe = (window as unknown as { axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> } }).axe
    const { violations } = await axe.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`))
  })
}

const SIZES = [
  ['desktop', DESKTOP],
  ['390 px', PHONE],
] as const

describe.each(SIZES)('%s', (_, size) => {
  it.each(['light', 'dark'] as const)('%s', async (colorScheme) => {
    const person = await somebody({ ...size, colorScheme, reducedMotion: 'reduce' })
    const { page } = person
    await page.goto(base)
    await page.getByRole('article').first().locator('svg').waitFor()
    expect(await violations(page)).toEqual([])

    await page.goto(`${base}/g/gomoku`)
    await page.getByRole('button', { name: 'Start' }).waitFor()
    expect(await violations(page)).toEqual([])

    await openTable(page, { game: 'gomoku', settings: { stones: 'h8i9h9h10i8g8j7a1' }, seats: [{ kind: 'me' }, { kind: 'me' }] })
    await clickPoint(page, 'J8')
    await confirmIfAsked(page)
    await untilStones(page, 9)
    for (const name of ['Numbers', 'Heat map', 'Threats']) await page.getByRole('button', { name }).click()
    await page.locator('.heat').first().waitFor()
    await page.getByText('Analysis', { exact: true }).click()
    await page.getByRole('button', { name: 'Think 1 second' }).click()
    await page.getByTestId('analysis').getByRole('listitem').first().waitFor()
    await page.getByText('Save and open').click()
    await page.getByRole('button', { name: 'Resign' }).click()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Really resign' }).click()
    await says(page, /won/)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('slider').waitFor({ timeout: 40_000 })
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await violations(page)).toEqual([])
    await expectCalm(person)
  })
})

async function confirmIfAsked(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Place J8' })
  if (await button.isVisible()) await button.click()
}
