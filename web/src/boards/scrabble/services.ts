/** Types of the answers of the Scrabble services, and pure functions that read them. */

import type { CurvePoint, Moment, ReviewData } from '../types'
import type { HistoryTurn } from './model'

export interface Check {
  fits: boolean
  valid: boolean
  score: number
  words: { word: string; valid: boolean }[]
  reason: string | null
}

export interface Hint {
  depth: number
  squares: [number, number][]
  tiles: string[] | null
  at: string | null
  word: string | null
  score: number | null
  instead: 'exchange' | 'pass' | null
}

export interface RankedMove {
  move: string
  at: string | null
  word: string | null
  score: number
  equity: number
  win_probability: number
  tries: number
}

export interface Analysis {
  moves: RankedMove[]
  heat: number[]
  method: 'static' | 'simulated'
}

export interface Choice {
  move: string
  score: number
  value: number
}

export interface TurnReport {
  number: number
  seat: number
  kind: 'play' | 'exchange' | 'pass'
  move: string
  score: number
  total: number
  rack: string | null
  board: string[][]
  squares: [number, number][]
  best: Choice[]
  greedy: Choice[]
  weighted: Choice[]
  equity: number | null
  loss: number | null
  win_best: number | null
  win: number | null
  problem: string | null
}

export interface GameReport {
  language: string
  players: string[]
  scores: number[]
  turns: TurnReport[]
  lost: number[]
  summary: string
}

/** The game as a file. */
export interface SavedFile {
  name: string
  media_type: string
  text: string
}

/** Minimum loss in points for a turn to be mentioned. */
const MIN_LOSS = 3
const MISTAKE = 10
const BLUNDER = 25

/** Ply of each turn of the report; challenges are no turns. */
export function pliesOf(history: readonly HistoryTurn[]): number[] {
  return history.flatMap(({ kind }, index) => (kind === 'play' || kind === 'exchange' || kind === 'pass' ? [index + 1] : []))
}

/** How much a turn changed the win probability; points break ties. */
const swing = (turn: TurnReport): number => (turn.win_best ?? 0) - (turn.win ?? 0) + (turn.loss ?? 0) / 1000

/** The turns named in the summary: the highest score and the costliest mistake. */
export function turningPoints(report: GameReport): { highest: TurnReport | null; worst: TurnReport | null } {
  let highest: TurnReport | null = null
  let worst: TurnReport | null = null
  for (const turn of report.turns) {
    if (turn.score > (highest?.score ?? 0)) highest = turn
    if (turn.loss !== null && turn.loss >= MIN_LOSS && (!worst || swing(turn) > swing(worst))) worst = turn
  }
  return { highest, worst }
}

/** Win-probability curve and moments from one seat's side. */
export function reviewData(report: GameReport, plies: readonly number[], seat: number, text: (turn: TurnReport) => string): ReviewData {
  const curve: CurvePoint[] = []
  const moments: Moment[] = []
  report.turns.forEach((turn, index) => {
    const ply = plies[index] ?? index + 1
    if (turn.win !== null) curve.push({ ply, p: turn.seat === seat ? turn.win : 1 - turn.win })
    if (turn.loss === null || turn.loss < MIN_LOSS || !turn.best[0]) return
    moments.push({ ply, show: ply - 1, kind: turn.loss >= BLUNDER ? 'blunder' : turn.loss >= MISTAKE ? 'mistake' : 'note', text: text(turn) })
  })
  return { seat, curve, moments }
}
