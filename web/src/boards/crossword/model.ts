/** Crosswords as the page sees them: the server's view, the cursor, and where keys lead. */

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

/** Most letters in one cell, as the rules have it. */
export const MAX_LETTERS = 12

/** Where somebody is: a cell, and the entry that goes through it. */
export interface Cursor {
  cell: number
  direction: Direction
}

/** What is written where, before the server has it: letters, or null for an emptied cell. */
export type Ink = ReadonlyMap<number, { letters: string | null; pencil: boolean }>

export const NO_INK: Ink = new Map()

export const other = (direction: Direction): Direction => (direction === 'across' ? 'down' : 'across')

export const isOpen = (view: Pick<View, 'cells'>, cell: number): boolean => view.cells[cell]?.kind === 'open'

/** Letters of a cell as the person sees them. */
export function lettersAt(view: Pick<View, 'cells'>, ink: Ink, cell: number): string | null {
  const written = ink.get(cell)
  return written ? written.letters : (view.cells[cell]?.letters ?? null)
}

/** Whether a cell may be written: not given, not settled. */
export function writable(view: Pick<View, 'cells'>, cell: number): boolean {
  const at = view.cells[cell]
  return at?.kind === 'open' && !at.given && !at.confirmed && !at.revealed
}

/** The entry through a cell in a direction, as an index into the clues; null where only the other one goes. */
export function entryAt(view: Pick<View, 'clues'>, cell: number, direction: Direction): number | null {
  const found = view.clues.findIndex((clue) => clue.direction === direction && clue.cells.includes(cell))
  return found < 0 ? null : found
}

/** The entry somebody is in: in the direction wanted, else in the other one. */
export function currentEntry(view: Pick<View, 'clues'>, { cell, direction }: Cursor): number | null {
  return entryAt(view, cell, direction) ?? entryAt(view, cell, other(direction))
}

/** Puts a cursor on an entry: its first empty cell, else its first. */
export function enter(view: View, ink: Ink, entry: number): Cursor {
  const { cells, direction } = view.clues[entry]!
  return { cell: cells.find((cell) => lettersAt(view, ink, cell) === null) ?? cells[0]!, direction }
}

/** Where to begin: the first entry with an empty cell. */
export function start(view: View): Cursor {
  const first = view.clues.findIndex(({ cells }) => cells.some((cell) => lettersAt(view, NO_INK, cell) === null))
  return view.clues.length ? enter(view, NO_INK, Math.max(0, first)) : { cell: view.cells.findIndex(({ kind }) => kind === 'open'), direction: 'across' }
}

/** The next entry in the order of the lists, all across before all down; around at the end. `open` skips full ones. */
export function nextEntry(view: View, ink: Ink, from: number, by: 1 | -1, open: boolean): number {
  const order = [...view.clues.keys()].sort((a, b) => Number(view.clues[a]!.direction === 'down') - Number(view.clues[b]!.direction === 'down') || a - b)
  const at = order.indexOf(from)
  const full = (entry: number) => view.clues[entry]!.cells.every((cell) => lettersAt(view, ink, cell) !== null)
  for (let step = 1; step <= order.length; step++) {
    const entry = order[(at + by * step + order.length * 2) % order.length]!
    if (!open || !full(entry)) return entry
  }
  return order[(at + by + order.length) % order.length]!
}

/** The open cell beside another in a direction, over blocks; null at the edge. */
export function beside(view: View, cell: number, direction: Direction, by: 1 | -1): number | null {
  const row = Math.floor(cell / view.width)
  for (let at = cell; ; ) {
    at += direction === 'across' ? by : by * view.width
    if (at < 0 || at >= view.cells.length || (direction === 'across' && Math.floor(at / view.width) !== row)) return null
    if (isOpen(view, at)) return at
  }
}

/** Where an arrow leads: turns first if that way an entry goes, then moves. */
export function arrow(view: View, cursor: Cursor, direction: Direction, by: 1 | -1): Cursor {
  if (cursor.direction !== direction && entryAt(view, cursor.cell, direction) !== null) return { ...cursor, direction }
  const cell = beside(view, cursor.cell, direction, by)
  return cell === null ? cursor : { cell, direction: entryAt(view, cell, cursor.direction) !== null ? cursor.direction : direction }
}

/** Where the cursor goes after a letter was written: the next empty cell of the entry, else the next entry once it is full. */
export function advance(view: View, ink: Ink, cursor: Cursor): Cursor {
  const entry = currentEntry(view, cursor)
  if (entry === null) return cursor
  const { cells, direction } = view.clues[entry]!
  const at = cells.indexOf(cursor.cell)
  const later = cells.slice(at + 1)
  const empty = (cell: number) => lettersAt(view, ink, cell) === null
  const next = later.find(empty) ?? (cells.some(empty) ? later[0] : undefined)
  if (next !== undefined) return { cell: next, direction }
  return cells.some(empty) ? cursor : enter(view, ink, nextEntry(view, ink, entry, 1, true))
}

/** Where Backspace goes from an empty cell: one cell back in the entry. */
export function retreat(view: View, cursor: Cursor): Cursor {
  const entry = currentEntry(view, cursor)
  if (entry === null) return cursor
  const { cells, direction } = view.clues[entry]!
  return { cell: cells[Math.max(0, cells.indexOf(cursor.cell) - 1)]!, direction }
}

/** Letters that may be written: upper case, letters and digits, not too many. */
export function readLetters(text: string): string | null {
  const letters = text.trim().toLocaleUpperCase()
  const count = [...letters].length
  return count >= 1 && count <= MAX_LETTERS && /^[\p{L}\p{N}]+$/u.test(letters) ? letters : null
}

/** How many cells are filled, of how many. */
export function progress(view: View, ink: Ink): { done: number; of: number } {
  let done = 0
  let of = 0
  view.cells.forEach(({ kind }, cell) => {
    if (kind !== 'open') return
    of++
    if (lettersAt(view, ink, cell) !== null) done++
  })
  return { done, of }
}

/** What waits to be sent, in as few actions as can be: written cells together, emptied ones by themselves. */
export function batches(ink: Ink): Action[] {
  const actions: Action[] = []
  for (const pencil of [false, true]) {
    const cells = [...ink].flatMap(([cell, written]) => (written.letters !== null && written.pencil === pencil ? [{ cell, letters: written.letters }] : []))
    if (cells.length === 1) actions.push({ do: 'write', ...cells[0]!, pencil })
    else if (cells.length) actions.push({ do: 'fill', cells, pencil })
  }
  for (const [cell, { letters }] of ink) if (letters === null) actions.push({ do: 'erase', cell })
  return actions
}

/** The rows of an on-screen keyboard for a language. */
export function keyboard(language: string): string[][] {
  const rows = ['QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM']
  const accents: Record<string, string> = { cs: 'ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ', sk: 'ÁÄČĎÉÍĹĽŇÓÔŔŠŤÚÝŽ', pl: 'ĄĆĘŁŃÓŚŹŻ', de: 'ÄÖÜ' }
  const extra = accents[language.split(/[-_]/)[0]!.toLowerCase()]
  const all = extra ? [...(extra.length > 10 ? [extra.slice(0, Math.ceil(extra.length / 2)), extra.slice(Math.ceil(extra.length / 2))] : [extra]), ...rows] : rows
  return all.map((row) => [...row])
}

/** Seconds as a clock shows them. */
export function clock(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours ? `${hours}:${rest}` : rest
}
