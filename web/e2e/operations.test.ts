/** The operations page: needs the token; metrics, plots and runs, light and dark. */

import { describe, expect, it } from 'vitest'
import { base, expectNoErrors, openTable, operatorToken, SIZES, newUser, violations, withBrowser } from './harness'

withBrowser()

describe.each(SIZES)('operations page, %s', (_, size) => {
  it.each(['light', 'dark'] as const)('%s', async (colorScheme) => {
    const user = await newUser({ ...size, colorScheme, reducedMotion: 'reduce' }, /401/)
    const { page } = user
    await openTable(page, { game: 'gomoku', seats: [{ kind: 'me' }, { kind: 'me' }] })

    await page.goto(`${base}/ops`)
    await page.getByLabel('Operator’s token').fill('00'.repeat(32))
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('alert').getByText('This is not the operator’s token.').waitFor()
    expect(await page.getByRole('img').count()).toBe(0)
    expect(await violations(page)).toEqual([])

    await page.getByLabel('Operator’s token').fill(operatorToken)
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('row', { name: /Gomoku/ }).waitFor()
    await page.getByRole('img', { name: /^Memory\. Used: \d+ MB/ }).waitFor()
    expect(await page.getByRole('img').count()).toBe(9)
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

    await page.reload()
    await page.getByRole('row', { name: /Gomoku/ }).waitFor()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByLabel('Operator’s token').waitFor()
    await expectNoErrors(user)
  })
})
