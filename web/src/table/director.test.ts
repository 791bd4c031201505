import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Director, type Tempo } from './director'

describe('director', () => {
  let shown: number[]
  let tempo: Tempo
  let beat: (ply: number) => number
  const make = (ply = 0) => new Director(ply, { beat: (ply) => beat(ply), tempo: () => tempo, show: (ply) => shown.push(ply), now: () => Date.now() })

  beforeEach(() => {
    vi.useFakeTimers()
    shown = []
    tempo = 'brisk'
    beat = () => 1000
  })
  afterEach(() => vi.useRealTimers())

  it('shows positions in order, one beat apart', () => {
    const director = make()
    director.arrive(3)
    expect(shown).toEqual([])
    vi.advanceTimersByTime(1000)
    expect(shown).toEqual([1])
    vi.advanceTimersByTime(2000)
    expect(shown).toEqual([1, 2, 3])
    expect(director.waiting).toBe(0)
  })

  it("counts the computer's own thinking time as part of the beat", () => {
    const director = make()
    vi.advanceTimersByTime(5000)
    director.arrive(1)
    expect(shown).toEqual([1])
  })

  it('shows an action without a beat at once, with what follows it', () => {
    beat = (ply) => (ply === 1 ? 0 : 1000)
    const director = make()
    director.arrive(2)
    expect(shown).toEqual([1])
    vi.advanceTimersByTime(1000)
    expect(shown).toEqual([1, 2])
  })

  it('scales beats by the tempo; instant shows the newest position only', () => {
    tempo = 'relaxed'
    const slow = make()
    slow.arrive(1)
    vi.advanceTimersByTime(1700)
    expect(shown).toEqual([])
    vi.advanceTimersByTime(100)
    expect(shown).toEqual([1])
    tempo = 'instant'
    slow.arrive(30)
    expect(shown).toEqual([1, 30])
  })

  it('switching to instant catches up with the next beat', () => {
    const director = make()
    director.arrive(5)
    tempo = 'instant'
    vi.advanceTimersByTime(1000)
    expect(shown).toEqual([5])
  })

  it('catches up quickly with a backlog and jumps after a long gap', () => {
    const director = make()
    director.arrive(20)
    vi.advanceTimersByTime(10_000)
    expect(shown.length).toBeGreaterThan(14)
    director.arrive(100)
    director.wake()
    expect(shown.at(-1)).toBe(100)
    expect(director.waiting).toBe(0)
  })

  it('shows an undo at once', () => {
    const director = make(4)
    director.arrive(6)
    director.arrive(2)
    expect(shown).toEqual([2])
    vi.advanceTimersByTime(10_000)
    expect(shown).toEqual([2])
  })

  it('skips, pauses and replays a game from its start', () => {
    const director = make(10)
    director.replayFrom(0)
    expect(shown).toEqual([0])
    director.pause(true)
    vi.advanceTimersByTime(60_000)
    expect(shown).toEqual([0])
    director.pause(false)
    expect(shown).toEqual([0, 1])
    director.skip()
    expect(shown).toEqual([0, 1, 10])
    vi.advanceTimersByTime(60_000)
    expect(shown).toEqual([0, 1, 10])
  })
})
