/** Types of the answers of the crossword services, and pure functions that read them. */

import { lettersAt, type Hint, type PendingEdits, type View } from './model'

export interface Puzzle {
  id: string
  title: string
  author: string
  language: string
  difficulty: 1 | 2 | 3
  width: number
  height: number
  words: number
  shape: string[]
}

export interface Puzzles {
  puzzles: Puzzle[]
  languages: string[]
}

/** A puzzle read from a file or generated, ready for a table. */
export interface Opened {
  file: string
  format: string
  title: string
  author: string
  language: string
  width: number
  height: number
  words: number
  has_solution: boolean
  shape: string[]
}

export type Chance = { letter: string; probability: number } | null

/** Evidence for an answer; the page translates it. */
export type Reason =
  | { kind: 'exact_clue'; times: number }
  | { kind: 'similar_clue'; percent: number }
  | { kind: 'meaning' | 'name'; rank: number; of: number }
  | { kind: 'word_list'; score: number }
  | { kind: 'anagram' | 'example' | 'letters' }

export interface WordChance {
  answer: string
  probability: number
  listed: boolean
  alternatives: { answer: string; probability: number }[]
  why: Reason[]
  /** Whether no known word fits the entry's letters. */
  conflict: boolean
  /** Entries that cross this one where no two known words agree. */
  unmet: number[]
}

export interface Solved {
  cells: Chance[]
  words: WordChance[]
  stopped: boolean
  seconds: number
}

export interface Replay {
  frames: { round: number; cells: Chance[] }[]
  steps: { entry: number; answer: string; probability: number; frame: number; why: Reason[] }[]
  seconds: number
}

export interface HintAnswer {
  hint: Hint
  probability: number
}

/** Confidence in a letter, in three steps that differ by more than colour. */
export type Confidence = 'sure' | 'likely' | 'unsure'

export const confidence = (probability: number): Confidence => (probability >= 0.9 ? 'sure' : probability >= 0.6 ? 'likely' : 'unsure')

/** The solver's letters for empty cells, from a minimum probability. */
export function proposed(view: View, edits: PendingEdits, cells: readonly Chance[], from: number): { cell: number; letters: string }[] {
  return cells.flatMap((chance, cell) => (chance && chance.probability >= from && lettersAt(view, edits, cell) === null ? [{ cell, letters: chance.letter }] : []))
}

/** A printable puzzle. */
export interface Printed {
  media: string
  base64: string
}

/** Encodes bytes as base64, as the service `open` expects. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
