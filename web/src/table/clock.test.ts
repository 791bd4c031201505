import { describe, expect, it } from 'vitest'
import { remainingMs, formatClock } from './clock'

describe('clock', () => {
  const clock = { seats: [{ left_ms: 60_000, move_left_ms: 5_000 }, { left_ms: 30_000 }], running: [0] }

  it('runs for the seats to move and shows the tighter limit', () => {
    expect(remainingMs(clock, 0, 1000)).toBe(4000)
    expect(remainingMs(clock, 1, 1000)).toBe(30_000)
    expect(remainingMs({ seats: [{}], running: [0] }, 0, 1000)).toBeNull()
  })

  it('never shows less than zero', () => {
    expect(remainingMs(clock, 0, 999_000)).toBe(0)
  })

  it('is formatted for people', () => {
    expect([9_940, 10_000, 65_000, 3_700_000].map(formatClock)).toEqual(['9.9', '0:10', '1:05', '1:01:40'])
  })
})
