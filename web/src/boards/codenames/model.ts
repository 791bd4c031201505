/** Pure model of the Codenames board: the server's view and the calculations the board needs. */

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

export type Action = { type: 'clue'; word: string; number: ClueNumber; meant?: number[] } | { type: 'guess'; card: number } | { type: 'stop' }

/** Clue numbers, in the order offered. */
export const NUMBERS: ClueNumber[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 'unlimited']

/** A clue number as text. */
export const numberText = (number: ClueNumber): string => (number === 'unlimited' ? '∞' : String(number))

/** Card under the cursor after a key; null if the key does not move it. */
export function moveCursor(card: number, key: string, cards: number, columns = 5): number | null {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key]
  if (key === 'Home') return 0
  if (key === 'End') return cards - 1
  if (step === undefined) return null
  const to = card + step
  return to >= 0 && to < cards ? to : card
}

/** Whether the user at `seat` may guess this card now. */
export function guessable(view: View, card: number, seat: number | null): boolean {
  if (seat === null || (view.phase !== 'guess' && view.phase !== 'sudden_death')) return false
  const shown = view.cards[card]
  return !!shown && shown.revealed === null && !(view.mode === 'duet' && (shown.marks ?? []).includes(seat))
}

/** Current clue; null between clues. */
export function runningClue(view: View): TurnView | null {
  const last = view.turns.at(-1)
  return last && !last.finished ? last : null
}

/** Role drawn on a card: the revealed one, else the one on the viewer's key. */
export const visibleRole = (card: CardView): Role | null => card.revealed ?? card.key

/** Role of the card that the guess at `ply` revealed, for the move list and screen readers. */
export function guessedRole(view: View, ply: number, history: readonly { ply: number; text: string }[]): Role | null {
  const index = history.filter((entry) => entry.ply <= ply && entry.text.startsWith('guess ')).length - 1
  return view.turns.flatMap(({ guesses }) => guesses)[index]?.role ?? null
}

/** A sign per role, so that the key needs no colour. */
export const SYMBOLS: Record<Role, string> = { red: '●', blue: '◆', agent: '★', bystander: '○', assassin: '✕' }

const VOWELS = 'aeiouyáéěíóúůýäôąęæ'

/** A long word in two parts, split after a vowel near its middle, so that a narrow card can break it there. */
export function syllables(word: string): string[] {
  const letters = [...word]
  if (letters.length < 6 || /[ -]/.test(word)) return [word]
  const vowel = (at: number) => VOWELS.includes(letters[at]!.toLowerCase())
  const breaks = letters.flatMap((_, at) => (at > 2 && at < letters.length - 2 && vowel(at - 1) && !vowel(at) ? [at] : []))
  const best = breaks.sort((one, two) => Math.abs(one - letters.length / 2) - Math.abs(two - letters.length / 2))[0] ?? Math.round(letters.length / 2)
  return [letters.slice(0, best).join(''), letters.slice(best).join('')]
}

/** How a turn ended, for the log: stopped by choice, or by the last guess. */
export function stopped(turn: TurnView): boolean {
  const last = turn.guesses.at(-1)
  const most = typeof turn.number === 'number' && turn.number > 0 ? turn.number + 1 : Infinity
  return turn.finished && turn.word !== '' && turn.guesses.length < most && (!last || last.role === turn.team || last.role === 'agent')
}

/** Parses a word list: separated by line breaks, commas or semicolons, without duplicates. */
export function parseWordList(text: string): string[] {
  const words = text
    .split(/[\n,;]+/)
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '' && !word.startsWith('#'))
  return [...new Set(words)]
}

/** Seat roles for the settings, with the rules' names. */
export function seatRoles(mode: unknown, operatives: unknown): string[] {
  if (mode === 'duet') return ['duet_first', 'duet_second']
  const guessers = Math.min(3, Math.max(1, Number(operatives) || 1))
  return ['red', 'blue'].flatMap((team) => [`${team}_spymaster`, ...Array.from({ length: guessers }, () => `${team}_operative`)])
}

/** Why words are no valid list: too few, or an invalid word; null if valid. */
export function wordListError(words: string[]): { kind: 'few'; n: number } | { kind: 'word'; word: string } | null {
  const invalid = words.find((word) => [...word].length < 2 || [...word].length > 24 || !/^[\p{L} \-'’]+$/u.test(word))
  if (invalid !== undefined) return { kind: 'word', word: invalid }
  return words.length < 25 ? { kind: 'few', n: words.length } : null
}

/** My guesses in finished turns of my team: the clue, the open cards, and at most as many guesses as its number. */
export function myTurns(view: View): { clue: string; board: string[]; taken: string[] }[] {
  const gone = new Set<number>()
  return view.turns.flatMap((turn) => {
    const board = view.cards.filter((_, card) => !gone.has(card)).map(({ word }) => word)
    for (const { card } of turn.guesses) gone.add(card)
    const request = typeof turn.number === 'number' ? turn.number : turn.guesses.length
    const taken = turn.guesses
      .slice(0, request)
      .filter(({ seat }) => seat === view.my_seat)
      .map(({ card }) => view.cards[card]!.word)
    return turn.word && taken.length ? [{ clue: turn.word, board, taken }] : []
  })
}
