/** End-to-end tests of the lobby and the set-up page. */

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { base, DESKTOP, expectNoErrors, expectStatus, newUser, expectStones, withBrowser, clickPoint } from './harness'

withBrowser()

describe('lobby', () => {
  it('language and theme', async () => {
    const user = await newUser({ ...DESKTOP, locale: 'cs-CZ' })
    const { page } = user
    await page.goto(base)
    await page.getByRole('heading', { name: 'Posaďte se ke stolu' }).waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('cs')
    await page.getByRole('article').first().locator('svg').waitFor()

    await page.getByLabel('Jazyk').selectOption('pl')
    await page.getByRole('heading', { name: 'Usiądź do stołu' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Usiądź do stołu' }).waitFor()
    await page.getByLabel('Język').selectOption('en')
    await page.getByRole('heading', { name: 'Sit down at a table' }).waitFor()

    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.getByRole('button', { name: /Appearance/ }).click()
    const light = await ground()
    await page.getByRole('button', { name: /Appearance/ }).click()
    expect(await ground()).not.toBe(light)
    await expectNoErrors(user)
  })

  it('Play now, and the running game in the lobby', async () => {
    const user = await newUser()
    const { page } = user
    await page.goto(base)
    await page.getByRole('button', { name: 'Play now: Gomoku' }).click()
    await expectStatus(page, /Your turn/)
    await clickPoint(page, 'H8')
    await expectStones(page, 2)
    await page.getByRole('link', { name: 'Parlour' }).click()
    const mine = page.getByRole('region', { name: 'My games' })
    await mine.getByRole('link', { name: /Gomoku.*Your turn/s }).click()
    await expectStones(page, 2)
    await expectNoErrors(user)
  })

  it('set-up of seats, level, rules and clock', async () => {
    const user = await newUser()
    const { page } = user
    await page.goto(base)
    await page.getByRole('link', { name: 'Choose… Gomoku' }).click()
    await page.getByRole('radio', { name: /Beginner/ }).check()
    await page.getByRole('radio', { name: 'The other side' }).check()
    await page.getByRole('combobox', { name: /^Board/ }).selectOption('19')
    await page.getByRole('combobox', { name: /^Rule/ }).selectOption('renju')
    await page.getByRole('radio', { name: 'Per game' }).check()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('grid', { name: 'Board of 19 by 19 points' }).waitFor()
    await expectStones(page, 1)
    await page.getByRole('timer').first().waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'Beginner' }).count()).toBe(1)
    await expectNoErrors(user)
  })

  it('unknown table, unknown address', async () => {
    const { page } = await newUser(DESKTOP, /404/)
    await page.goto(`${base}/t/nothing-here`)
    await page.getByRole('heading', { name: 'There is no such table' }).waitFor()
    await page.goto(`${base}/no-such-place`)
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  })

  it('at most 60 kB of JavaScript at first', async () => {
    const { page } = await newUser()
    const scripts = new Map<string, Promise<number>>()
    page.on('response', (response) => {
      if (/\.js(\?|$)/.test(response.url()))
        scripts.set(
          response.url(),
          response.body().then((body) => gzipSync(body).length),
        )
    })
    const total = async () => (await Promise.all(scripts.values())).reduce((sum, size) => sum + size, 0)
    await page.goto(base)
    await page.getByRole('article').first().locator('svg').waitFor()
    const lobby = await total()
    await page.getByRole('button', { name: 'Play now: Gomoku' }).click()
    await expectStatus(page, /Your turn/)
    console.log(`JavaScript, gzip: lobby ${lobby} bytes, with a table ${await total()} bytes`)
    expect(lobby).toBeLessThanOrEqual(60 * 1024)
  })
})
