/** Geometry of the win-probability curve. */

import type { CurvePoint } from '../boards/types'

export interface Box {
  width: number
  height: number
  pad: number
}

/** Position in the picture: left is the first ply, top is a certain win. */
export function pointAt(point: CurvePoint, last: number, box: Box): { x: number; y: number } {
  const inner = { width: box.width - 2 * box.pad, height: box.height - 2 * box.pad }
  const p = Math.max(0, Math.min(1, point.p))
  return {
    x: box.pad + (last > 0 ? (point.ply / last) * inner.width : 0),
    y: box.pad + (1 - p) * inner.height,
  }
}

/** The curve as an SVG path. */
export function linePath(points: CurvePoint[], last: number, box: Box): string {
  return points
    .map((point, index) => {
      const { x, y } = pointAt(point, last, box)
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}

/** Ply at a horizontal position. */
export function plyAt(x: number, last: number, box: Box): number {
  const share = (x - box.pad) / (box.width - 2 * box.pad)
  return Math.max(0, Math.min(last, Math.round(share * last)))
}

/** The computer's win probabilities, seen from `seat`: those of opponents are inverted. */
export function fromThoughts(thoughts: { ply: number; seat: number; win_probability?: number | null }[], seat: number, teams: (number | null)[]): CurvePoint[] {
  const team = (index: number) => teams[index] ?? index
  const byPly = new Map<number, number>()
  for (const thought of thoughts) {
    if (typeof thought.win_probability !== 'number') continue
    const same = team(thought.seat) === team(seat)
    byPly.set(thought.ply, same ? thought.win_probability : 1 - thought.win_probability)
  }
  return [...byPly].sort(([a], [b]) => a - b).map(([ply, p]) => ({ ply, p }))
}
