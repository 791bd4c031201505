import { describe, expect, it } from 'vitest'
import { updateRack, moved, otherAccent, shuffled, sorted, typed, type RackTile } from './rack'

const ALPHABET = ['A', 'C', 'CH', 'E', 'É', 'Ě', 'H', 'S', 'T', 'V']
const rack = (letters: string[]): RackTile[] => letters.map((letter, id) => ({ id, letter }))
const letters = (tiles: RackTile[]) => tiles.map(({ letter }) => letter).join(' ')

describe('the rack', () => {
  it('keeps the order of held tiles', () => {
    const now = updateRack(rack(['S', 'V', 'E', 'T', 'A']), ['A', 'C', 'E', 'E', 'S'])
    expect(letters(now)).toBe('S E A C E')
    expect(new Set(now.map(({ id }) => id)).size).toBe(5)
    expect(now[0]!.id).toBe(0)
  })

  it('shuffles, sorts and moves tiles', () => {
    const tiles = rack(['S', '?', 'A', 'T'])
    expect(letters(shuffled(tiles))).not.toBe('S ? A T')
    expect(letters(sorted(tiles, ALPHABET))).toBe('A S T ?')
    expect(letters(moved(tiles, 3, 0))).toBe('T S ? A')
    expect(letters(shuffled(rack(['A', 'A'])))).toBe('A A')
  })
})

describe('typing', () => {
  it('prefers the letter, then an accented one, then a blank', () => {
    expect(typed('', 'e', rack(['Ě', 'E']), ALPHABET).letter).toBe('E')
    expect(typed('', 'e', rack(['Ě', 'S']), ALPHABET).letter).toBe('Ě')
    expect(typed('', 'ě', rack(['E', '?']), ALPHABET)).toMatchObject({ letter: 'Ě', tile: { letter: '?' } })
    expect(typed('', 'q', rack(['E', '?']), ALPHABET)).toEqual({ tile: null, letter: '', pending: '' })
  })

  it('waits for the second character of a two-character tile', () => {
    const half = typed('', 'c', rack(['CH', 'A']), ALPHABET)
    expect(half).toEqual({ tile: null, letter: '', pending: 'C' })
    expect(typed(half.pending, 'h', rack(['CH', 'A']), ALPHABET).letter).toBe('CH')
    expect(typed(half.pending, 'a', rack(['CH', 'A']), ALPHABET).letter).toBe('A')
  })

  it('cycles through accents', () => {
    expect(otherAccent('E', rack(['Ě', 'S']), ALPHABET)?.letter).toBe('Ě')
    expect(otherAccent('Ě', rack(['S']), ALPHABET)).toBeNull()
  })
})
