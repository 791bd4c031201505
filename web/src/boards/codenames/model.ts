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

/** The seats that settings make, as the rules name them. */
export function places(mode: unknown, operatives: unknown): string[] {
  if (mode === 'duet') return ['duet_first', 'duet_second']
  const guessers = Math.min(3, Math.max(1, Number(operatives) || 1))
  return ['red', 'blue'].flatMap((team) => [`${team}_spymaster`, ...Array.from({ length: guessers }, () => `${team}_operative`)])
}

/** Why words are no pack yet: too few, or one that is no word; null if they are. */
export function packFault(words: string[]): { kind: 'few'; n: number } | { kind: 'word'; word: string } | null {
  const stray = words.find((word) => [...word].length < 2 || [...word].length > 24 || !/^[\p{L} \-'’]+$/u.test(word))
  if (stray !== undefined) return { kind: 'word', word: stray }
  return words.length < 25 ? { kind: 'few', n: words.length } : null
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

/** Mean score of each giver: per position first, then over the positions. */
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

/** What I took in the finished turns of my side: the clue, what lay open, and as many of my first cards as it asked for. */
export function myTurns(view: View): { clue: string; board: string[]; taken: string[] }[] {
  const gone = new Set<number>()
  return view.turns.flatMap((turn) => {
    const board = view.cards.filter((_, card) => !gone.has(card)).map(({ word }) => word)
    turn.guesses.forEach(({ card }) => gone.add(card))
    const asked = typeof turn.number === 'number' ? turn.number : turn.guesses.length
    const taken = turn.guesses.slice(0, asked).filter(({ seat }) => seat === view.my_seat).map(({ card }) => view.cards[card]!.word)
    return turn.word && taken.length ? [{ clue: turn.word, board, taken }] : []
  })
}
