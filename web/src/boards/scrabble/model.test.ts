import { describe, expect, it } from 'vitest'
import { lineOf, nextFree, readAt, readMove, readWord, tentative, notate, type Placed, type TileView, type View } from './model'

const SQUARES = ["=..'...=...'..=", '.-..."..."...-.', "..-...'.'...-..", "'..-...'...-..'", '....-.....-....', '."..."..."...".', "..'...'.'...'..", "=..'...#...'..="]
const squares = [...SQUARES, ...SQUARES.slice(0, 7).reverse()]
const VALUES: Record<string, number> = { '?': 0, A: 1, E: 1, I: 1, N: 1, R: 1, S: 1, T: 1, D: 2, CH: 5 }
const letters = Object.entries(VALUES).map(([letter, value]) => ({ letter, value, count: 2 }))

function view(words: [number, number, 'across' | 'down', string][] = []): View {
  const tiles: (TileView | null)[] = Array.from({ length: 225 }, () => null)
  for (const [row, col, direction, word] of words) {
    ;[...word].forEach((letter, i) => {
      const at = direction === 'across' ? row * 15 + col + i : (row + i) * 15 + col
      tiles[at] = { letter: letter.toUpperCase(), value: letter === letter.toUpperCase() ? VALUES[letter]! : 0, blank: letter !== letter.toUpperCase() }
    })
  }
  return { side: 15, squares, tiles, letters } as unknown as View
}

function lay(row: number, col: number, direction: 'across' | 'down', word: string): Placed[] {
  return [...word].map((text, i) => {
    const blank = text !== text.toUpperCase()
    return { id: i, row: direction === 'down' ? row + i : row, col: direction === 'across' ? col + i : col, letter: text.toUpperCase(), value: blank ? 0 : (VALUES[text] ?? 0), blank }
  })
}

describe('placed tiles', () => {
  it('scores the first word and the bonus for seven tiles', () => {
    const placed = lay(7, 3, 'across', 'STAINER')
    expect(tentative(view(), placed, 'across')).toEqual({ at: '8D', word: 'STAINER', score: (1 + 7) * 2 + 50, words: [{ text: 'STAINER', score: 16 }], problem: null })
  })

  it('writes blanks in lower case and scores them zero', () => {
    expect(tentative(view(), lay(7, 7, 'across', 'DaN'), 'across')).toMatchObject({ at: '8H', word: 'DaN', score: 6, problem: null })
  })

  it('includes adjoining tiles and cross words', () => {
    const there = view([[7, 5, 'across', 'DEN']])
    const hook = tentative(there, lay(7, 8, 'across', 'S'), 'down')!
    expect(hook).toMatchObject({ at: '8F', word: '...S', score: 5, words: [{ text: 'DENS' }] })
    const both = tentative(there, lay(8, 6, 'across', 'AT'), 'across')!
    expect(both.words.map(({ text }) => text)).toEqual(['AT', 'EA', 'NT'])
    expect(both).toMatchObject({ at: '9G', score: 2 * 1 + 1 + (1 + 2) + (1 + 1), problem: null })
  })

  it('names placement problems', () => {
    const there = view([[7, 5, 'across', 'DEN']])
    expect(tentative(view(), lay(0, 0, 'across', 'TEN'), 'across')!.problem).toBe('start')
    expect(tentative(view(), lay(7, 7, 'across', 'T'), 'across')!.problem).toBe('short')
    expect(tentative(there, lay(0, 0, 'across', 'TEN'), 'across')!.problem).toBe('apart')
    expect(tentative(there, [...lay(0, 0, 'across', 'T'), ...lay(1, 1, 'across', 'E')], 'across')!.problem).toBe('line')
    expect(tentative(there, [...lay(8, 5, 'across', 'T'), ...lay(8, 7, 'across', 'E')], 'across')!.problem).toBe('gap')
    expect(tentative(there, [{ id: 1, row: 8, col: 5, letter: '?', value: 0, blank: true }], 'down')!.problem).toBe('blank')
    expect(tentative(there, [], 'down')).toBeNull()
  })

  it('finds the direction of a single tile', () => {
    const there = view([[7, 5, 'across', 'DEN']])
    expect(lineOf(there, lay(8, 5, 'across', 'A'), 'across')).toBe('down')
    expect(lineOf(there, lay(7, 8, 'across', 'S'), 'down')).toBe('across')
  })
})

describe('move notation', () => {
  it('parses squares and words', () => {
    expect(readAt('8D')).toEqual({ square: { row: 7, col: 3 }, direction: 'across' })
    expect(readAt('D12')).toEqual({ square: { row: 11, col: 3 }, direction: 'down' })
    expect(readAt('rubbish')).toBeNull()
    expect(notate('CH', false)).toBe('[CH]')
    expect(notate('A', true)).toBe('a')
    expect(readWord('.[ch]A.T', letters)).toEqual(['.', 'ch', 'A', '.', 'T'])
    expect(readWord('TA(CH)e', letters)).toEqual(['T', 'A', 'CH', 'e'])
  })

  it('leaves out tiles already on the board', () => {
    const there = view([[7, 5, 'across', 'DEN']])
    expect(readMove(there, '8F', '...s')).toEqual([{ row: 7, col: 8, letter: 'S', blank: true }])
    expect(readMove(there, '8F', '(DEN)S')).toEqual([{ row: 7, col: 8, letter: 'S', blank: false }])
  })

  it('skips tiles and stops at the edge', () => {
    const there = view([[7, 12, 'across', 'DEN']])
    expect(nextFree(there, [], { row: 7, col: 12 }, 'across')).toBeNull()
    expect(nextFree(there, [], { row: 7, col: 12 }, 'down')).toEqual({ row: 8, col: 12 })
  })
})
