/** Pure model of the crossword board: the server's view, the cursor and its movement. */

export type Direction = 'across' | 'down'

export interface Cell {
  kind: 'open' | 'block' | 'void'
  label?: string
  letters?: string
  by?: number
  shade?: string
  given: boolean
  pencil: boolean
  wrong: boolean
  confirmed: boolean
  revealed: boolean
  circle: boolean
  bar_right: boolean
  bar_below: boolean
}

export interface Clue {
  direction: Direction
  label: string
  clue: string
  enumeration?: string
  cells: number[]
}

export type HintStep = 'nudge' | 'pattern' | 'definition'

export interface Hint {
  entry: number
  step: HintStep
  notes: string[]
  pattern?: string
  lines: string[]
}

export interface View {
  title: string
  author: string
  copyright: string
  notes: string
  language: string
  width: number
  height: number
  cells: Cell[]
  clues: Clue[]
  checkable: boolean
  full: boolean
  solved: boolean
  checks: number
  reveals: number
  hints: Hint[]
  seats: number[]
}

export type Scope = { scope: 'letter'; cell: number } | { scope: 'word'; entry: number } | { scope: 'grid' }

export type Action =
  | { do: 'write'; cell: number; letters: string; pencil: boolean }
  | { do: 'erase'; cell: number }
  | { do: 'fill'; cells: { cell: number; letters: string }[]; pencil: boolean }
  | ({ do: 'check' | 'reveal' } & Scope)
  | { do: 'hint'; entry: number; step: HintStep }
  | { do: 'finish' }

/** Grids wider than this many cells can be zoomed on a phone. */
export const WIDE = 11
/** Grids wider than this many cells are zoomed on a phone from the start. */
export const VERY_WIDE = 17

/** Maximum letters in one cell (rebus), as in the rules. */
export const MAX_LETTERS = 12

/** Cursor: a cell and the direction of the current entry. */
export interface Cursor {
  cell: number
  direction: Direction
}

/** Edits the server has not confirmed: letters, or null for an erased cell. */
export type PendingEdits = ReadonlyMap<number, { letters: string | null; pencil: boolean }>

export const NO_EDITS: PendingEdits = new Map()

export const other = (direction: Direction): Direction => (direction === 'across' ? 'down' : 'across')

export const isOpen = (view: Pick<View, 'cells'>, cell: number): boolean => view.cells[cell]?.kind === 'open'

/** Letters of a cell including pending edits. */
export function lettersAt(view: Pick<View, 'cells'>, edits: PendingEdits, cell: number): string | null {
  const written = edits.get(cell)
  return written ? written.letters : (view.cells[cell]?.letters ?? null)
}

/** Whether the user may write into a cell: open, not given, not confirmed, not revealed. */
export function editable(view: Pick<View, 'cells'>, cell: number): boolean {
  const at = view.cells[cell]
  return at?.kind === 'open' && !at.given && !at.confirmed && !at.revealed
}

/** Index of the clue through a cell in a direction; null if there is none. */
export function entryAt(view: Pick<View, 'clues'>, cell: number, direction: Direction): number | null {
  const found = view.clues.findIndex((clue) => clue.direction === direction && clue.cells.includes(cell))
  return found < 0 ? null : found
}

/** Index of the current clue: in the cursor's direction, else in the other one. */
export function currentEntry(view: Pick<View, 'clues'>, { cell, direction }: Cursor): number | null {
  return entryAt(view, cell, direction) ?? entryAt(view, cell, other(direction))
}

/** Cursor at an entry: its first empty cell, else its first cell. */
export function enter(view: View, edits: PendingEdits, entry: number): Cursor {
  const { cells, direction } = view.clues[entry]!
  return { cell: cells.find((cell) => lettersAt(view, edits, cell) === null) ?? cells[0]!, direction }
}

/** Initial cursor: the first entry with an empty cell. */
export function start(view: View): Cursor {
  const first = view.clues.findIndex(({ cells }) => cells.some((cell) => lettersAt(view, NO_EDITS, cell) === null))
  return view.clues.length ? enter(view, NO_EDITS, Math.max(0, first)) : { cell: view.cells.findIndex(({ kind }) => kind === 'open'), direction: 'across' }
}

/** Next entry in list order (all across before all down), wrapping around. `open` skips full entries. */
export function nextEntry(view: View, edits: PendingEdits, from: number, by: 1 | -1, open: boolean): number {
  const order = [...view.clues.keys()].sort((a, b) => Number(view.clues[a]!.direction === 'down') - Number(view.clues[b]!.direction === 'down') || a - b)
  const at = order.indexOf(from)
  const full = (entry: number) => view.clues[entry]!.cells.every((cell) => lettersAt(view, edits, cell) !== null)
  for (let step = 1; step <= order.length; step++) {
    const entry = order[(at + by * step + order.length * 2) % order.length]!
    if (!open || !full(entry)) return entry
  }
  return order[(at + by + order.length) % order.length]!
}

/** Next open cell in a direction, skipping blocks; null at the edge. */
export function beside(view: View, cell: number, direction: Direction, by: 1 | -1): number | null {
  const row = Math.floor(cell / view.width)
  for (let at = cell; ; ) {
    at += direction === 'across' ? by : by * view.width
    if (at < 0 || at >= view.cells.length || (direction === 'across' && Math.floor(at / view.width) !== row)) return null
    if (isOpen(view, at)) return at
  }
}

/** Arrow key: changes direction first if an entry runs that way, then moves. */
export function arrow(view: View, cursor: Cursor, direction: Direction, by: 1 | -1): Cursor {
  if (cursor.direction !== direction && entryAt(view, cursor.cell, direction) !== null) return { ...cursor, direction }
  const cell = beside(view, cursor.cell, direction, by)
  return cell === null ? cursor : { cell, direction: entryAt(view, cell, cursor.direction) !== null ? cursor.direction : direction }
}

/** Cursor after writing a letter: the next empty cell of the entry, or the next entry once this one is full. */
export function advance(view: View, edits: PendingEdits, cursor: Cursor): Cursor {
  const entry = currentEntry(view, cursor)
  if (entry === null) return cursor
  const { cells, direction } = view.clues[entry]!
  const at = cells.indexOf(cursor.cell)
  const later = cells.slice(at + 1)
  const empty = (cell: number) => lettersAt(view, edits, cell) === null
  const next = later.find(empty) ?? (cells.some(empty) ? later[0] : undefined)
  if (next !== undefined) return { cell: next, direction }
  return cells.some(empty) ? cursor : enter(view, edits, nextEntry(view, edits, entry, 1, true))
}

/** Cursor after Backspace in an empty cell: one cell back in the entry. */
export function retreat(view: View, cursor: Cursor): Cursor {
  const entry = currentEntry(view, cursor)
  if (entry === null) return cursor
  const { cells, direction } = view.clues[entry]!
  return { cell: cells[Math.max(0, cells.indexOf(cursor.cell) - 1)]!, direction }
}

/** Normalises input to upper case; null unless it is 1 to MAX_LETTERS letters or digits. */
export function readLetters(text: string): string | null {
  const letters = text.trim().toLocaleUpperCase()
  const count = [...letters].length
  return count >= 1 && count <= MAX_LETTERS && /^[\p{L}\p{N}]+$/u.test(letters) ? letters : null
}

/** Filled cells and all open cells. */
export function progress(view: View, edits: PendingEdits): { done: number; of: number } {
  let done = 0
  let of = 0
  view.cells.forEach(({ kind }, cell) => {
    if (kind !== 'open') return
    of++
    if (lettersAt(view, edits, cell) !== null) done++
  })
  return { done, of }
}

/** Groups pending edits into as few actions as possible: written cells together, erased cells one by one. */
export function batches(edits: PendingEdits): Action[] {
  const actions: Action[] = []
  for (const pencil of [false, true]) {
    const cells = [...edits].flatMap(([cell, written]) => (written.letters !== null && written.pencil === pencil ? [{ cell, letters: written.letters }] : []))
    if (cells.length === 1) actions.push({ do: 'write', ...cells[0]!, pencil })
    else if (cells.length) actions.push({ do: 'fill', cells, pencil })
  }
  for (const [cell, { letters }] of edits) if (letters === null) actions.push({ do: 'erase', cell })
  return actions
}

/** Rows of the on-screen keyboard for a language. */
export function keyboard(language: string): string[][] {
  const rows = ['QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM']
  const accents: Record<string, string> = { cs: 'ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ', sk: 'ÁÄČĎÉÍĹĽŇÓÔŔŠŤÚÝŽ', pl: 'ĄĆĘŁŃÓŚŹŻ', de: 'ÄÖÜ' }
  const extra = accents[language.split(/[-_]/)[0]!.toLowerCase()]
  const all = extra ? [...(extra.length > 10 ? [extra.slice(0, Math.ceil(extra.length / 2)), extra.slice(Math.ceil(extra.length / 2))] : [extra]), ...rows] : rows
  return all.map((row) => [...row])
}

/** Formats seconds as a clock. */
export function clock(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours ? `${hours}:${rest}` : rest
}
