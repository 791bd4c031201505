/** Types of the answers of the Codenames services, and pure functions that read them. */

import type { ClueNumber } from './model'

export interface GuessProbability {
  card: number
  word: string
  probability: number
}

export interface ClueCheck {
  legal: boolean
  code: string | null
  refusal: { kind: string; word: string | null; message: string } | null
  guesses: GuessProbability[]
}

export interface WordStrength extends GuessProbability {
  reasons: string[]
  meant: boolean | null
}

export interface ClueExplanation {
  clue: string
  number: ClueNumber
  words: WordStrength[]
}

export interface Idea {
  clue: string
  number: ClueNumber
  value: number
  targets: { card: number; word: string; reason: string }[]
}

export interface Similarities {
  words: string[]
  clues: { clue: string; vectors: number[]; study: number[]; strong: number[] }[]
}

export interface RatingPosition {
  seed: number
  cards: { word: string; revealed: string | null }[]
  clues: { clue: string; number: ClueNumber }[]
}

export interface RatingRecord {
  seed: number
  rows: { giver: string; clue: string; number: ClueNumber; meant: number[]; score: number }[]
}

/** The most probable guesses of a teammate: one more than the clue's number. */
export function previewCards(answer: ClueCheck | null, number: ClueNumber): GuessProbability[] {
  if (!answer?.legal) return []
  const count = typeof number === 'number' ? Math.max(1, number) + 1 : 4
  return answer.guesses.slice(0, Math.min(count, 6))
}

/** Mean score per spymaster: averaged per position, then over positions. */
export function meanScores(records: RatingRecord[]): [string, number][] {
  const givers = new Map<string, Map<number, number[]>>()
  for (const { seed, rows } of records) {
    for (const { giver, score } of rows) {
      const positions = givers.get(giver) ?? new Map<number, number[]>()
      givers.set(giver, positions.set(seed, [...(positions.get(seed) ?? []), score]))
    }
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return [...givers].map(([giver, positions]): [string, number] => [giver, mean([...positions.values()].map(mean))]).sort((a, b) => b[1] - a[1])
}
