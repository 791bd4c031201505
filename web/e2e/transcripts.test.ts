/** Screen-reader transcripts: what is announced during keyboard-only games, in order. */

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectNoErrors, newUser, openTable, withBrowser } from './harness'

withBrowser()

/** Starts recording announcements on the page. */
async function record(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = []
    ;(window as unknown as { heard: string[] }).heard = heard
    const place = document.querySelector('[data-testid="announcement"]')!
    new MutationObserver(() => {
      const text = place.textContent?.trim() ?? ''
      if (text && heard.at(-1) !== text) heard.push(text)
    }).observe(place, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
}

describe('transcripts', () => {
  it('Gomoku, a whole game', async () => {
    const user = await newUser()
    const { page } = user
    await openTable(page, { game: 'gomoku', seats: [{ kind: 'me' }, { kind: 'me' }], moves: ['h8', 'a1', 'i8', 'c1', 'j8', 'e1'].map((text) => ({ text })) })
    const heard = await record(page)
    await page.getByTestId('board').focus()
    const to = async (keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      await page.keyboard.press('Enter')
    }
    await to(['ArrowRight', 'ArrowRight', 'ArrowRight'])
    await expect.poll(async () => (await heard()).length).toBe(1)
    await to(['ArrowDown'])
    await expect.poll(async () => (await heard()).length).toBe(2)
    await to(['ArrowUp', 'ArrowRight'])
    await expect.poll(async () => (await heard()).join('\n')).toMatch(/won/)
    expect(await heard()).toEqual(['You: K8. Your turn', 'You: K7. Your turn', 'You: L8. Black won. Five in a row.'])
    await expectNoErrors(user)
  })

  it('crossword, a whole puzzle', async () => {
    const user = await newUser()
    const { page } = user
    const puzzle = {
      version: 'http://ipuz.org/v2',
      kind: ['http://ipuz.org/crossword#1'],
      title: 'Tiny',
      locale: 'en',
      dimensions: { width: 3, height: 3 },
      puzzle: [
        [1, 0, 2],
        [0, '#', 0],
        [3, 0, 0],
      ],
      solution: [
        ['C', 'A', 'T'],
        ['O', '#', 'E'],
        ['W', 'E', 'N'],
      ],
      clues: {
        Across: [
          [1, 'Purring pet'],
          [3, 'Harmless cyst'],
        ],
        Down: [
          [1, 'It gives milk'],
          [2, 'Fingers of two hands'],
        ],
      },
    }
    await openTable(page, { game: 'crossword', settings: { file: JSON.stringify(puzzle) }, seats: [{ kind: 'me' }], options: { help: true } })
    const heard = await record(page)
    await page.getByTestId('board').focus()
    await page.keyboard.type('catwen', { delay: 30 })
    await page.keyboard.type('oe', { delay: 30 })
    await page.getByTestId('result').waitFor()
    await expect.poll(async () => (await heard()).at(-1)).toBe('Solved!')
    expect(await heard()).toEqual(['3 across: Harmless cyst', '1 down: It gives milk', '2 down: Fingers of two hands', '1 across: Purring pet', 'Solved!'])
    await expectNoErrors(user)
  })

  it('Homeguard: a hint is announced in words', async () => {
    const user = await newUser()
    const { page } = user
    await openTable(page, { game: 'homeguard', settings: { size: 7 }, seats: [{ kind: 'me' }, { kind: 'bot', level: 'recruit' }] })
    const heard = await record(page)
    await page.getByRole('button', { name: 'Hint' }).click()
    await expect.poll(async () => (await heard()).join(' ')).toMatch(/Soldier 1: .+\. Soldier 2: .+\./)
    await expectNoErrors(user)
  })
})
