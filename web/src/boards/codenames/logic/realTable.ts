/** Codenames at a real table: the board, its key and what was guessed, kept in this browser. */

import { parseWordList } from '../model'

/** Roles on the key, seen from the user's team. */
export type Side = 'own' | 'enemy' | 'bystander' | 'assassin'

export const SIDES: readonly Side[] = ['own', 'enemy', 'bystander', 'assassin']
export const CARDS = 25

export interface RealCard {
  word: string
  side: Side | null
  guessed: boolean
}

export interface RealBoard {
  lang: string
  cards: RealCard[]
}

const KEY = 'parlour.codenames.real'

/** A board from typed or pasted words: the first 25 different ones. */
export function boardOf(lang: string, text: string): RealBoard {
  const words = parseWordList(text.replaceAll(/\s{2,}|\t/g, '\n')).slice(0, CARDS)
  return { lang, cards: words.map((word) => ({ word, side: null, guessed: false })) }
}

/** The board with one card painted; painting the same role again clears it. */
export function painted(board: RealBoard, card: number, side: Side): RealBoard {
  return { ...board, cards: board.cards.map((at, index) => (index === card ? { ...at, side: at.side === side ? null : side } : at)) }
}

/** The board with one card turned over, or back. */
export function toggled(board: RealBoard, card: number): RealBoard {
  return { ...board, cards: board.cards.map((at, index) => (index === card ? { ...at, guessed: !at.guessed } : at)) }
}

/** The board in the format of the services; cards without a paint are bystanders. */
export const request = ({ lang, cards }: RealBoard, withKey: boolean) => ({
  lang,
  words: cards.map(({ word, side, guessed }) => ({ word, revealed: guessed, ...(withKey && { role: side ?? 'bystander' }) })),
})

export const count = ({ cards }: RealBoard, side: Side): number => cards.filter((card) => card.side === side && !card.guessed).length

/** Whether the key allows clues: at least one own card is still open. */
export const playable = (board: RealBoard): boolean => count(board, 'own') > 0

export function readBoard(): RealBoard | null {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as RealBoard | null
    return stored && Array.isArray(stored.cards) && typeof stored.lang === 'string' ? stored : null
  } catch {
    return null
  }
}

export function writeBoard(board: RealBoard | null): void {
  try {
    if (board) localStorage.setItem(KEY, JSON.stringify(board))
    else localStorage.removeItem(KEY)
  } catch {
    // Private mode: the board lasts until the page closes.
  }
}
