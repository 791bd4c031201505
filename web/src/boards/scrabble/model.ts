/** Pure model of the Scrabble board: the server's view, placed tiles and their score. */

export interface TileView {
  letter: string
  value: number
  blank: boolean
}

export interface LetterView {
  letter: string
  count: number
  value: number
}

export interface HistoryTurn {
  seat: number
  kind: 'play' | 'exchange' | 'pass' | 'challenge' | 'accept'
  at?: string
  word?: string
  words: string[]
  score: number
  total: number
  rack?: string
  exchanged: number
  exchanged_tiles?: string
  undone: boolean
  right?: boolean
}

export interface View {
  language: string
  board_name: string
  challenge: 'void' | 'single' | 'double'
  side: number
  squares: string[]
  tiles: (TileView | null)[]
  letters: LetterView[]
  rack: string[] | null
  rack_counts: number[]
  final_racks: string[][] | null
  bag: number
  unseen: LetterView[]
  scores: number[]
  to_move: number | null
  can_exchange: boolean
  can_challenge: boolean
  last_call: boolean
  draws: [number, string][]
  history: HistoryTurn[]
  last_squares: [number, number][]
  passes: number
  over: string | null
  adjustments: number[]
  viewer: number | null
}

export type Action = { type: 'play'; at: string; word: string } | { type: 'exchange'; tiles: string } | { type: 'pass' } | { type: 'challenge' } | { type: 'accept' }

export interface Square {
  row: number
  col: number
}

/** A tile placed on the board and not played yet. */
export interface Placed extends Square {
  /** Index of the rack tile. */
  id: number
  letter: string
  value: number
  blank: boolean
}

export type Direction = 'across' | 'down'

/** The blank in rack notation. */
export const BLANK = '?'
/** Tiles on a full rack, and the bonus for playing all of them. */
const FULL_RACK = 7
const FULL_RACK_BONUS = 50

export const same = (a: Square | null, b: Square | null): boolean => a !== null && b !== null && a.row === b.row && a.col === b.col
export const columnName = (col: number): string => String.fromCharCode(65 + col)
export const squareName = ({ row, col }: Square): string => `${columnName(col)}${row + 1}`
export const other = (direction: Direction): Direction => (direction === 'across' ? 'down' : 'across')

export function step({ row, col }: Square, direction: Direction, by = 1): Square {
  return direction === 'across' ? { row, col: col + by } : { row: row + by, col }
}

export const inside = (view: Pick<View, 'side'>, { row, col }: Square): boolean => row >= 0 && col >= 0 && row < view.side && col < view.side

export const tileAt = (view: Pick<View, 'side' | 'tiles'>, at: Square): TileView | null => (inside(view, at) ? view.tiles[at.row * view.side + at.col]! : null)

export const placedAt = (placed: readonly Placed[], at: Square): Placed | null => placed.find((tile) => same(tile, at)) ?? null

export const letterValue = (view: Pick<View, 'letters'>, letter: string): number => view.letters.find((known) => known.letter === letter)?.value ?? 0

export interface Premium {
  letter: number
  word: number
}

/** Multipliers of a square, by its sign. */
export function premium(sign: string): Premium {
  switch (sign) {
    case "'":
      return { letter: 2, word: 1 }
    case '"':
      return { letter: 3, word: 1 }
    case '^':
      return { letter: 4, word: 1 }
    case '-':
    case '#':
      return { letter: 1, word: 2 }
    case '=':
      return { letter: 1, word: 3 }
    case '~':
      return { letter: 1, word: 4 }
    default:
      return { letter: 1, word: 1 }
  }
}

/** Premium id as in the translation keys, such as `w3`; null for a plain square. */
export function premiumId(sign: string): string | null {
  const { letter, word } = premium(sign)
  if (letter > 1) return `l${letter}`
  return word > 1 ? `w${word}` : null
}

export interface MadeWord {
  text: string
  score: number
}

export type PlacementProblem = 'line' | 'gap' | 'start' | 'short' | 'apart' | 'blank'

/** The move that the placed tiles make. */
export interface Tentative {
  /** The move in the server's notation; set even if the placement is invalid. */
  at: string
  word: string
  score: number
  words: MadeWord[]
  /** Why the placement is invalid; null if it is valid. */
  problem: PlacementProblem | null
}

/** Direction of the placed tiles; null if they are not in one line. */
export function lineOf(view: Pick<View, 'side' | 'tiles'>, placed: readonly Placed[], wanted: Direction): Direction | null {
  const [first] = placed
  if (!first) return wanted
  const row = placed.every((tile) => tile.row === first.row)
  const col = placed.every((tile) => tile.col === first.col)
  if (!row && !col) return null
  if (!(row && col)) return row ? 'across' : 'down'
  const runs = (direction: Direction) => tileAt(view, step(first, direction, -1)) !== null || tileAt(view, step(first, direction)) !== null
  return runs(wanted) || !runs(other(wanted)) ? wanted : other(wanted)
}

/** A letter in move notation: several characters in brackets, blanks in lower case. */
export function notate(letter: string, blank: boolean): string {
  const text = blank ? letter.toLowerCase() : letter
  return [...text].length > 1 ? `[${text}]` : text
}

interface BoardLetter {
  letter: string
  value: number
  fresh: Placed | null
}

/** Words, score and placement problem of the placed tiles. */
export function tentative(view: View, placed: readonly Placed[], wanted: Direction): Tentative | null {
  if (placed.length === 0) return null
  const direction = lineOf(view, placed, wanted)
  const nothing = { at: '', word: '', score: 0, words: [] }
  if (direction === null) return { ...nothing, problem: 'line' }
  const lying = (at: Square): BoardLetter | null => {
    const fresh = placedAt(placed, at)
    if (fresh) return { letter: fresh.letter, value: fresh.value, fresh }
    const tile = tileAt(view, at)
    return tile && { letter: tile.letter, value: tile.value, fresh: null }
  }
  const run = (from: Square, direction: Direction): { from: Square; tiles: BoardLetter[] } => {
    let start = from
    while (lying(step(start, direction, -1))) start = step(start, direction, -1)
    const tiles: BoardLetter[] = []
    for (let at = start, tile = lying(at); tile; at = step(at, direction), tile = lying(at)) tiles.push(tile)
    return { from: start, tiles }
  }
  const score = (tiles: readonly BoardLetter[]): number => {
    let sum = 0
    let times = 1
    for (const { value, fresh } of tiles) {
      const here = fresh ? premium(view.squares[fresh.row]![fresh.col]!) : { letter: 1, word: 1 }
      sum += value * here.letter
      times *= here.word
    }
    return sum * times
  }
  const main = run(placed[0]!, direction)
  if (main.tiles.filter(({ fresh }) => fresh).length < placed.length) return { ...nothing, problem: 'gap' }
  const crossings = placed.map((tile) => run(tile, other(direction)).tiles).filter((tiles) => tiles.length > 1)
  const words = [...(main.tiles.length > 1 ? [main.tiles] : []), ...crossings].map((tiles) => ({ text: tiles.map(({ letter }) => letter).join(''), score: score(tiles) }))
  const total = words.reduce((sum, word) => sum + word.score, 0) + (placed.length === FULL_RACK ? FULL_RACK_BONUS : 0)
  const at = direction === 'across' ? `${main.from.row + 1}${columnName(main.from.col)}` : squareName(main.from)
  const word = main.tiles.map(({ letter, fresh }) => (fresh ? notate(letter, fresh.blank) : '.')).join('')
  return { at, word, score: total, words, problem: misplaced(view, placed, main.tiles.length, crossings.length) }
}

/** Placement problem of tiles that lie in one line without a gap. */
function misplaced(view: View, placed: readonly Placed[], length: number, crossings: number): PlacementProblem | null {
  if (placed.some(({ letter }) => letter === BLANK)) return 'blank'
  if (view.tiles.some((tile) => tile !== null)) return length > placed.length || crossings > 0 ? null : 'apart'
  if (!placed.some(({ row, col }) => view.squares[row]![col] === '#')) return 'start'
  return placed.length < 2 ? 'short' : null
}

/** Next empty square from `at` in a direction; null at the edge. */
export function nextFree(view: Pick<View, 'side' | 'tiles'>, placed: readonly Placed[], at: Square, direction: Direction, by = 1): Square | null {
  let here = at
  while (inside(view, here)) {
    if (!tileAt(view, here) && !placedAt(placed, here)) return here
    here = step(here, direction, by)
  }
  return null
}

/** Parses a move's start: `8D` across, `D8` down. */
export function readAt(at: string): { square: Square; direction: Direction } | null {
  const match = /^(?:(\d+)([A-Z])|([A-Z])(\d+))$/.exec(at)
  if (!match) return null
  const across = match[1] !== undefined
  const row = Number(across ? match[1] : match[4]) - 1
  const col = (across ? match[2]! : match[3]!).charCodeAt(0) - 65
  return { square: { row, col }, direction: across ? 'across' : 'down' }
}

/** Splits a word in move notation into tiles: `.` for a tile already there, lower case for blanks. */
export function readWord(word: string, letters: readonly LetterView[]): string[] {
  const known = letters.map(({ letter }) => letter).sort((a, b) => b.length - a.length)
  const tiles: string[] = []
  for (let rest = word.replace(/[()]/g, ''); rest; ) {
    const bracket = /^\[([^\]]+)\]/.exec(rest)
    const text = bracket?.[1] ?? known.find((letter) => rest.toUpperCase().startsWith(letter) && letter !== BLANK)
    const tile = bracket ? bracket[1]! : rest.slice(0, text?.length ?? 1)
    tiles.push(tile)
    rest = rest.slice(bracket ? bracket[0].length : tile.length)
  }
  return tiles
}

/** Squares and letters a move adds to the board. */
export function readMove(view: Pick<View, 'side' | 'tiles' | 'letters'>, at: string, word: string): (Square & { letter: string; blank: boolean })[] {
  const place = readAt(at)
  if (!place) return []
  return readWord(word, view.letters).flatMap((text, index) => {
    const square = step(place.square, place.direction, index)
    if (text === '.' || tileAt(view, square)) return []
    const blank = text !== text.toUpperCase()
    return [{ ...square, letter: text.toUpperCase(), blank }]
  })
}
