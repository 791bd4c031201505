/** What the services of crosswords answer, and how the page reads it. */

import { lettersAt, type Hint, type Ink, type View } from './model'

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

/** A puzzle that was opened or made, ready for a table. */
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

/** What speaks for an answer; the page says it in the reader's language. */
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
  /** No known word fits the letters that stand. */
  conflict: boolean
  /** Entries whose crossing with this one no two known words can meet. */
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

/** How sure a letter is, in three steps that are told apart by more than colour. */
export type Trust = 'sure' | 'likely' | 'unsure'

export const trust = (probability: number): Trust => (probability >= 0.9 ? 'sure' : probability >= 0.6 ? 'likely' : 'unsure')

/** What the solver proposes for cells where nothing stands, from a probability on. */
export function proposed(view: View, ink: Ink, cells: readonly Chance[], from: number): { cell: number; letters: string }[] {
  return cells.flatMap((chance, cell) => (chance && chance.probability >= from && lettersAt(view, ink, cell) === null ? [{ cell, letters: chance.letter }] : []))
}

/** A puzzle for paper. */
export interface Printed {
  media: string
  base64: string
}

/** Bytes as base64, as `open` takes them. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
