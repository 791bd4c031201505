/** End-to-end tests of Homeguard. */

import type { Page } from 'playwright-core'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DESKTOP, expectNoErrors, openTable, PHONE, expectStatus, SIZES, newUser, status, violations, withBrowser } from './harness'

withBrowser()

const FIGHT = { game: 'homeguard', settings: { size: 7 }, seats: [{ kind: 'me' }, { kind: 'bot', level: 'recruit' }] }

/** Clicks a cell of the board or editor, by column and row from 0. */
async function clickCell(page: Page, board: string, x: number, y: number, size = 7): Promise<void> {
  const box = (await page.getByTestId(board).boundingBox())!
  // The board has coordinates along two edges; cells are 48 units wide, the edge 18.
  const edge = board === 'board' ? 18 / 48 : 0
  const cell = Math.min(box.width, box.height) / (size + edge)
  const left = box.x + (box.width - cell * (size + edge)) / 2 + cell * edge
  const top = box.y + (box.height - cell * (size + edge)) / 2 + cell * edge
  await page.mouse.click(left + (x + 0.5) * cell, top + (y + 0.5) * cell)
}

const round = async (page: Page) => (await page.getByRole('heading', { name: /^Round/ }).textContent()) ?? ''

/** Waits for another table. */
async function anotherTable(page: Page, before: string): Promise<void> {
  await expect.poll(() => page.url(), { timeout: 30_000 }).not.toBe(before)
  await expectStatus(page, /Give both soldiers an order/)
}

describe('homeguard', () => {
  it('a fight to the end, rating, next map, preferences', { timeout: 240_000 }, async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openTable(page, FIGHT)
    await expectStatus(page, /Give both soldiers an order/)
    const commit = page.getByTestId('commit')
    expect(await commit.isDisabled()).toBe(true)

    // Order both soldiers, change an order, let the computer order one.
    await page.getByRole('button', { name: 'Soldier 1 stays' }).click()
    await page.getByRole('button', { name: 'Soldier 2 stays' }).click()
    expect(await commit.isEnabled()).toBe(true)
    await page.getByRole('button', { name: 'Take orders back' }).click()
    expect(await commit.isDisabled()).toBe(true)
    await clickCell(page, 'board', 3, 1)
    await page.getByRole('button', { name: 'Computer orders soldier 2' }).click()
    await expect.poll(() => commit.isEnabled()).toBe(true)

    // Threats are drawn; hovering shows who would be hit.
    await page.getByRole('button', { name: 'Show threats' }).click()
    await page.locator('.worst').first().waitFor()
    await commit.click()
    await expect.poll(() => round(page), { timeout: 15_000 }).not.toContain('Round 1')
    expect(await page.getByRole('heading', { name: 'What happened' }).locator('..').getByRole('listitem').count()).toBeGreaterThan(0)

    // Autoplay runs to the end of the fight.
    await page.getByTestId('watch').click()
    await page.locator('.loss').first().waitFor({ timeout: 60_000 })
    await expect.poll(async () => (await status(page).textContent()) ?? '', { timeout: 150_000, interval: 500 }).toMatch(/won|lost|draw/i)

    // One tap rates the map; the next map shows its reason.
    await page.getByTestId('rate2').click()
    await expect.poll(() => page.getByTestId('rate2').getAttribute('aria-pressed')).toBe('true')
    const first = page.url()
    await page.getByTestId('next-rated').click()
    await anotherTable(page, first)
    await page.getByText('Why this map').waitFor()

    // Open the rating early, and play the same map again.
    await page.keyboard.press('r')
    await page.getByTestId('rate-1').click()
    await expect.poll(() => page.getByTestId('rate-1').getAttribute('aria-pressed')).toBe('true')
    const second = page.url()
    await page.getByRole('button', { name: 'Play this map again' }).click()
    await anotherTable(page, second)
    await page.getByText('Why this map').waitFor()

    // The profile: shown, exported, deleted, imported.
    await page.getByText('My taste').click()
    await page.getByText('2 ratings').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()])
    const saved = readFileSync((await download.path())!, 'utf8')
    expect((JSON.parse(saved) as { ratings: unknown[] }).ratings).toHaveLength(2)
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByRole('button', { name: 'Really forget all' }).click()
    await page.getByText('0 ratings').waitFor()
    await page.getByTestId('import').setInputFiles({ name: 'taste.json', mimeType: 'application/json', buffer: Buffer.from(saved) })
    await page.getByText('2 ratings').waitFor()
    await page.getByTestId('import').setInputFiles({ name: 'taste.json', mimeType: 'application/json', buffer: Buffer.from('{"ratings":[{"rating":7}]}') })
    await page.getByText('There is no taste profile in this file.').waitFor()
    await expectNoErrors(user)
  })

  it('gallery and map editor', { timeout: 120_000 }, async () => {
    const user = await newUser(DESKTOP)
    const { page } = user
    await openTable(page, FIGHT)
    await page.getByTestId('gallery').click()
    const kinds = page.getByTestId('kinds').getByRole('listitem')
    await kinds.first().waitFor()
    const all = await kinds.count()
    await page.getByRole('combobox', { name: /^Cover/ }).selectOption('2')
    await expect.poll(() => kinds.count()).toBeLessThan(all)
    await page.getByTestId('make').click()
    await page.getByTestId('fresh').getByRole('listitem').first().waitFor({ timeout: 30_000 })
    expect(await page.getByTestId('fresh').getByRole('listitem').count()).toBe(6)
    const first = page.url()
    await page.getByTestId('fresh').getByRole('button', { name: 'Play' }).first().click()
    await anotherTable(page, first)

    await page.getByTestId('edit').click()
    await page.getByRole('dialog').getByRole('combobox', { name: /^Map/ }).selectOption('7')
    await clickCell(page, 'editor', 2, 1)
    await page.getByRole('gridcell', { name: 'C2, rock' }).waitFor({ state: 'attached' })
    await page.getByRole('radio', { name: 'Soldier of home' }).check()
    await clickCell(page, 'editor', 2, 0)
    await page.getByText('Home needs exactly two soldiers.').waitFor()
    expect(await page.getByTestId('play-edited').isDisabled()).toBe(true)
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    const second = page.url()
    await page.getByTestId('play-edited').click()
    await anotherTable(page, second)
    await page.getByRole('gridcell', { name: 'C2, rock' }).waitFor({ state: 'attached' })
    await expectNoErrors(user)
  })

  it('keyboard play, and the layout on a phone', async () => {
    const user = await newUser(PHONE)
    const { page } = user
    await openTable(page, FIGHT)
    await page.getByTestId('board').focus()
    await page.keyboard.press('F1')
    await page.keyboard.press('F1')
    await expect.poll(() => page.getByTestId('commit').isEnabled()).toBe(true)
    await page.keyboard.press('F2')
    await page.getByRole('dialog', { name: 'How to play' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectNoErrors(user)
  })
})

describe.each(SIZES)('no accessibility violations, %s', (_, size) => {
  it.each(['light', 'dark'] as const)('%s', { timeout: 90_000 }, async (colorScheme) => {
    const user = await newUser({ ...size, colorScheme, reducedMotion: 'reduce' })
    const { page } = user
    await openTable(page, FIGHT)
    await page.getByRole('button', { name: 'Show threats' }).click()
    await page.locator('.worst').first().waitFor()
    await page.getByTestId('jump').click()
    await page.getByTestId('rate1').click()
    await page.getByText('My taste').click()
    await page.getByText('1 rating').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('gallery').click()
    await page.getByTestId('kinds').getByRole('listitem').first().waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('kinds').getByRole('button', { name: 'Edit' }).first().click()
    await page.getByTestId('editor').waitFor()
    expect(await violations(page)).toEqual([])
    await expectNoErrors(user)
  })
})
