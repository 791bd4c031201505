/** Types of the answers of the Gomoku services, and pure functions that read them. */

import type { CurvePoint, Moment, ReviewData } from '../types'
import { colorOf, plainNotation, plyOfStone, startStones, type Color, type Spot, type Stone, type View } from './model'

export type Threat = 'five' | 'open_four' | 'four_three' | 'four' | 'double_three' | 'three'

export interface Reason {
  makes: Threat | null
  blocks: Threat | null
}

export interface CandidateLine {
  move: Spot
  win_probability: number
  forced_in: number | null
  depth: number
  line: Spot[]
  reason: Reason
  note: string
}

export interface Analysis {
  lines: CandidateLine[]
  win_probability: number
  depth: number
  nodes: number
  ms: number
}

export type Hint = Omit<CandidateLine, 'depth'>

export interface ThreatSpot extends Spot {
  color: Color
  threat: Threat
}

export interface HeatMap {
  points: (Spot & { probability: number })[]
  trained: boolean
}

export interface ReviewedMove {
  number: number
  color: Color
  played: Spot
  black_before: number
  black_after: number
  cost: number
  mark: 'good' | 'slip' | 'mistake' | 'blunder'
  better: { move: Spot; reason: Reason; note: string; line: Spot[] } | null
}

export interface Imported {
  size: number
  rule: string | null
  stones: Stone[]
  plain: string | null
  black: string
  white: string
  winner: string | null
}

export interface File {
  name: string
  media_type: string
  text: string
}

/** The shown position in the format of the `*_position` services. */
export const position = (view: View) => ({ stones: plainNotation(view), size: view.size, rule: view.rule, to_move: view.to_move })

/** Short label of a threat on the board. */
export const THREAT_SYMBOLS: Record<Threat, string> = { five: '5', open_four: '4+', four_three: '43', four: '4', double_three: '33', three: '3' }

/** Threats that decide the game if ignored. */
const DECISIVE: Threat[] = ['five', 'open_four', 'four_three']

/** Key of the sentence that explains a move: what it makes and blocks. */
export function reasonKey({ makes, blocks }: Reason): 'both' | 'makes' | 'stops' | 'builds' {
  if (makes && blocks && DECISIVE.includes(blocks)) return 'both'
  if (makes) return 'makes'
  return blocks ? 'stops' : 'builds'
}

/** Classifies a missed better move. */
export function missed(move: ReviewedMove): { key: 'missed' | 'overlooked' | 'better'; threat: Threat | null } {
  const reason = move.better?.reason
  if (reason?.makes && DECISIVE.includes(reason.makes)) return { key: 'missed', threat: reason.makes }
  if (reason?.blocks && DECISIVE.includes(reason.blocks)) return { key: 'overlooked', threat: reason.blocks }
  return { key: 'better', threat: null }
}

/** Win-probability curve and moments of a reviewed game, from one seat's side. */
export function reviewData(view: View, moves: ReviewedMove[], seat: number, text: (move: ReviewedMove) => string): ReviewData {
  const start = startStones(view)
  const black = colorOf(view, seat) !== 'white'
  const chance = (p: number) => (black ? p : 1 - p)
  const played = moves.filter(({ number }) => number > start)
  const curve: CurvePoint[] = played.map((move) => ({ ply: plyOfStone(view, move.number), p: chance(move.black_after) }))
  if (played[0]) curve.unshift({ ply: Math.max(0, curve[0]!.ply - 1), p: chance(played[0].black_before) })
  const moments: Moment[] = played.flatMap((move) => {
    if (move.mark === 'good' || !move.better) return []
    const ply = plyOfStone(view, move.number)
    return [{ ply, show: ply - 1, kind: move.mark === 'slip' ? ('note' as const) : move.mark, text: text(move) }]
  })
  return { seat, curve, moments }
}
