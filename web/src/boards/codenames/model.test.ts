import { describe, expect, it } from 'vitest'
import { face, moveCursor, numberText, packFault, parsePack, previewCards, runningClue, touchable, type CheckAnswer, type View } from './model'
import { readThemes, THEMES } from './themes'

const card = (word: string) => ({ word, revealed: null, key: null })
const view: View = {
  mode: 'classic', lang: 'en', strictness: 'standard', cards: [card('whale'), { ...card('drum'), revealed: 'red' }, card('lion')],
  phase: 'guess', side: 'red', acting: [1], my_seat: 1, my_team: 'red', my_job: 'operative', left: [8, 8], guesses_left: 2,
  may_stop: true, turns_left: null,
  turns: [{ seat: 0, team: 'red', word: 'sea', number: 2, guesses: [], finished: false }],
}

describe('codenames', () => {
  it('lets only closed cards be touched, and only by who acts', () => {
    expect([0, 1, 2].map((i) => touchable(view, i, 1))).toEqual([true, false, true])
    expect(touchable(view, 0, null)).toBe(false)
    expect(touchable({ ...view, phase: 'clue' }, 0, 1)).toBe(false)
    const duet: View = { ...view, mode: 'duet', cards: [{ ...card('whale'), marks: [1] }] }
    expect(touchable(duet, 0, 1)).toBe(false)
    expect(touchable(duet, 0, 0)).toBe(true)
  })
  it('moves the cursor within the board', () => {
    expect(moveCursor(0, 'ArrowLeft', 25)).toBe(0)
    expect(moveCursor(0, 'ArrowDown', 25)).toBe(5)
    expect(moveCursor(24, 'ArrowDown', 25)).toBe(24)
    expect(moveCursor(3, 'x', 25)).toBeNull()
  })
  it('shows the running clue, faces and numbers', () => {
    expect(runningClue(view)?.word).toBe('sea')
    expect(face(view.cards[1]!)).toBe('red')
    expect(numberText('unlimited')).toBe('∞')
  })
  it('previews one card more than the number', () => {
    const answer: CheckAnswer = { legal: true, code: null, refusal: null, guesses: [0, 1, 2, 3].map((i) => ({ card: i, word: 'w', probability: 0.1 })) }
    expect(previewCards(answer, 2)).toHaveLength(3)
    expect(previewCards({ ...answer, legal: false }, 2)).toHaveLength(0)
  })
  it('has sound themes in every language', async () => {
    for (const lang of ['en', 'cs', 'pl', 'sk']) {
      const themes = await readThemes(lang)
      expect(Object.keys(themes)).toEqual([...THEMES])
      for (const words of Object.values(themes)) {
        expect(packFault(words)).toBeNull()
        expect(parsePack(words.join('\n'))).toEqual(words)
        expect(words.length).toBeGreaterThanOrEqual(45)
      }
    }
  })

  it('reads a pack of words', () => {
    expect(parsePack('Whale, drum\nlion;drum\n# note')).toEqual(['whale', 'drum', 'lion'])
  })
})
