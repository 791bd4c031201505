import { describe, expect, it } from 'vitest'
import { cores, line, roundUp, type Sample } from './operations'

const at = (at_ms: number, sockets: number, cpu_seconds = 0) => ({ at_ms, sockets, cpu_seconds }) as Sample

describe('the scale of a plot', () => {
  it.each([
    [0, 1],
    [0.7, 1],
    [1, 1],
    [1.1, 2],
    [3, 5],
    [7, 10],
    [23, 50],
    [100, 100],
    [0.003, 0.005],
  ])('%d ends at %d', (value, top) => expect(roundUp(value)).toBeCloseTo(top, 9))
})

describe('a line', () => {
  const frame = { width: 120, height: 60, left: 10, pad: 10 }

  it('spans all samples from zero to the top', () => {
    expect(line([at(1000, 0), at(2000, 5), at(3000, 10)], (sample) => sample.sockets, 10, frame)).toBe('M10.0 50.0L60.0 30.0L110.0 10.0')
  })

  it('is a point for one sample and empty for none', () => {
    expect(line([at(1000, 10)], (sample) => sample.sockets, 10, frame)).toBe('M10.0 10.0')
    expect(line([], () => 0, 1, frame)).toBe('')
  })
})

describe('cores', () => {
  it('are processor seconds per second', () => {
    const used = cores([at(0, 0, 1), at(10_000, 0, 6), at(20_000, 0, 26)])
    expect([...used.values()]).toEqual([0, 0.5, 2])
  })
})
