import { describe, expect, it } from 'vitest'
import { blank, fits, fromText, mirrored, paint, problems, signAt } from './mapEditor'

describe('the map editor', () => {
  it('starts with a playable map of every size', () => {
    for (const size of [7, 9, 11, 13, 15]) {
      const map = blank(size)
      expect(map.rows).toHaveLength(size)
      expect(problems(map)).toEqual([])
      expect(fromText(map.rows.join('\n'))).toEqual(map)
    }
  })

  it('toggles covers between floor cells only', () => {
    const map = blank(7)
    expect(fits('rock', { x: 1, y: 1 })).toBe(false)
    expect(paint(map, { x: 1, y: 1 }, 'rock')).toBe(map)
    const rock = paint(map, { x: 2, y: 1 }, 'rock')
    expect(signAt(rock, { x: 2, y: 1 })).toBe('0')
    expect(signAt(paint(rock, { x: 2, y: 1 }, 'tree'), { x: 2, y: 1 })).toBe('1')
    expect(paint(rock, { x: 2, y: 1 }, 'rock')).toEqual(map)
  })

  it('pairs doors and reports a missing end', () => {
    const one = paint(blank(7), { x: 3, y: 3 }, 'door')
    expect(problems(one)).toEqual([{ kind: 'door', letter: 'A' }])
    const two = paint(one, { x: 5, y: 5 }, 'door')
    expect(problems(two)).toEqual([])
    expect(signAt(paint(two, { x: 1, y: 5 }, 'door'), { x: 1, y: 5 })).toBe('B')
  })

  it('keeps two soldiers per side, apart from each other', () => {
    const moved = paint(blank(7), { x: 4, y: 4 }, 'home')
    expect(moved.rows.join('').split('2')).toHaveLength(3)
    expect(problems(moved)).toEqual([])
    expect(problems(paint(moved, { x: 5, y: 5 }, 'away'))).toContainEqual({ kind: 'close' })
    expect(problems(paint(moved, { x: 4, y: 4 }, 'empty'))).toEqual([{ kind: 'home' }])
  })

  it('mirrors covers across the diagonal', () => {
    const map = mirrored(paint(blank(7), { x: 4, y: 1 }, 'tree'))
    expect(signAt(map, { x: 1, y: 4 })).toBe('1')
  })

  it('rejects texts that are no maps', () => {
    for (const text of ['', '...\n...\n...', blank(7).rows.join('\n').replace('.', '0'), 'x'.repeat(7)]) expect(fromText(text)).toBeNull()
  })
})
