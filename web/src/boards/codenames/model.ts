/** Codenames as the server shows it, and every calculation the board needs. Pure. */

export type Role = 'red' | 'blue' | 'agent' | 'bystander' | 'assassin'
export type Team = 'red' | 'blue'
export type ClueNumber = number | 'unlimited'

export interface CardView {
  word: string
  revealed: Role | null
  key: Role | null
  marks?: number[]
}

export interface TurnView {
  seat: number
  team: Team
  word: string
  number: ClueNumber
  guesses: { seat: number; card: number; role: Role }[]
  finished: boolean
  meant?: number[]
}

export interface View {
  mode: 'classic' | 'duet'
  lang: string
  strictness: 'relaxed' | 'standard' | 'strict'
  cards: CardView[]
  phase: 'clue' | 'guess' | 'sudden_death' | 'over'
  side: Team
  acting: number[]
  my_seat: number | null
  my_team: Team | null
  my_job: 'spymaster' | 'operative' | 'both' | null
  left: [number, number]
  guesses_left: number | null
  may_stop: boolean
  turns_left: number | null
  turns: TurnView[]
}

export type Action =
  | { type: 'clue'; word: string; number: ClueNumber; meant?: number[] }
  | { type: 'guess'; card: number }
  | { type: 'stop' }

export interface Likely {
  card: number
  word: string
  probability: number
}

export interface CheckAnswer {
  legal: boolean
  code: string | null
  refusal: { kind: string; word: string | null; message: string } | null
  guesses: Likely[]
}

export interface Strength extends Likely {
  reasons: string[]
  meant: boolean | null
}

export interface ExplainAnswer {
  clue: string
  number: ClueNumber
  words: Strength[]
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

/** Numbers that can be said with a clue, in the order they are offered. */
export const NUMBERS: ClueNumber[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 'unlimited']

/** A number as people write it. */
export const numberText = (number: ClueNumber): string => (number === 'unlimited' ? '∞' : String(number))

/** Where the cursor goes from a card with a key; null if the key does not move it. */
export function moveCursor(card: number, key: string, cards: number, columns = 5): number | null {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key]
  if (key === 'Home') return 0
  if (key === 'End') return cards - 1
  if (step === undefined) return null
  const to = card + step
  return to >= 0 && to < cards ? to : card
}

/** Whether the person at `seat` may touch this card now. */
export function touchable(view: View, card: number, seat: number | null): boolean {
  if (seat === null || (view.phase !== 'guess' && view.phase !== 'sudden_death')) return false
  const shown = view.cards[card]
  return !!shown && shown.revealed === null && !(view.mode === 'duet' && (shown.marks ?? []).includes(seat))
}

/** The running clue, if there is one. */
export function runningClue(view: View): TurnView | null {
  const last = view.turns.at(-1)
  return last && !last.finished ? last : null
}

/** What a card shows: what it turned out to be, else what the viewer's key says. */
export const face = (card: CardView): Role | null => card.revealed ?? card.key

/** The most probable cards that a teammate would take, as many as the number and one more. */
export function previewCards(answer: CheckAnswer | null, number: ClueNumber): Likely[] {
  if (!answer?.legal) return []
  const count = typeof number === 'number' ? Math.max(1, number) + 1 : 4
  return answer.guesses.slice(0, Math.min(count, 6))
}

/** Words of a pack as a person typed or pasted them: separated by lines, commas or semicolons, each once. */
export function parsePack(text: string): string[] {
  const words = text.split(/[\n,;]+/).map((word) => word.trim().toLowerCase()).filter((word) => word !== '' && !word.startsWith('#'))
  return [...new Set(words)]
}
