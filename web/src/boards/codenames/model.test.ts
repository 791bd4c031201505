import { describe, expect, it } from 'vitest'
import { visibleRole, moveCursor, numberText, wordListError, parseWordList, runningClue, guessable, type View } from './model'
import { readThemes, THEMES } from './logic/themes'
import { previewCards, type ClueCheck } from './services'

const card = (word: string) => ({ word, revealed: null, key: null })
const view: View = {
  mode: 'classic',
  lang: 'en',
  strictness: 'standard',
  cards: [card('whale'), { ...card('drum'), revealed: 'red' }, card('lion')],
  phase: 'guess',
  side: 'red',
  acting: [1],
  my_seat: 1,
  my_team: 'red',
  my_job: 'operative',
  left: [8, 8],
  guesses_left: 2,
  may_stop: true,
  turns_left: null,
  turns: [{ seat: 0, team: 'red', word: 'sea', number: 2, guesses: [], finished: false }],
}

describe('codenames', () => {
  it('allows guesses of closed cards by the acting seat only', () => {
    expect([0, 1, 2].map((i) => guessable(view, i, 1))).toEqual([true, false, true])
    expect(guessable(view, 0, null)).toBe(false)
    expect(guessable({ ...view, phase: 'clue' }, 0, 1)).toBe(false)
    const duet: View = { ...view, mode: 'duet', cards: [{ ...card('whale'), marks: [1] }] }
    expect(guessable(duet, 0, 1)).toBe(false)
    expect(guessable(duet, 0, 0)).toBe(true)
  })
  it('moves the cursor within the board', () => {
    expect(moveCursor(0, 'ArrowLeft', 25)).toBe(0)
    expect(moveCursor(0, 'ArrowDown', 25)).toBe(5)
    expect(moveCursor(24, 'ArrowDown', 25)).toBe(24)
    expect(moveCursor(3, 'x', 25)).toBeNull()
  })
  it('shows the current clue, roles and numbers', () => {
    expect(runningClue(view)?.word).toBe('sea')
    expect(visibleRole(view.cards[1]!)).toBe('red')
    expect(numberText('unlimited')).toBe('∞')
  })
  it('previews one card more than the number', () => {
    const answer: ClueCheck = { legal: true, code: null, refusal: null, guesses: [0, 1, 2, 3].map((i) => ({ card: i, word: 'w', probability: 0.1 })) }
    expect(previewCards(answer, 2)).toHaveLength(3)
    expect(previewCards({ ...answer, legal: false }, 2)).toHaveLength(0)
  })
  it('has valid themes in every language', async () => {
    for (const lang of ['en', 'cs', 'pl', 'sk']) {
      const themes = await readThemes(lang)
      expect(Object.keys(themes)).toEqual([...THEMES])
      for (const words of Object.values(themes)) {
        expect(wordListError(words)).toBeNull()
        expect(parseWordList(words.join('\n'))).toEqual(words)
        expect(words.length).toBeGreaterThanOrEqual(45)
      }
    }
  })

  it('parses a word list', () => {
    expect(parseWordList('Whale, drum\nlion;drum\n# note')).toEqual(['whale', 'drum', 'lion'])
  })
})
