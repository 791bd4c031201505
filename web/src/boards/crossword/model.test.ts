import { describe, expect, it } from 'vitest'
import { blank, entries, ipuz, resized } from './logic/gridEditor'
import {
  advance,
  arrow,
  batches,
  beside,
  clock,
  currentEntry,
  enter,
  keyboard,
  nextEntry,
  NO_EDITS,
  progress,
  readLetters,
  retreat,
  start,
  editable,
  type Cell,
  type Clue,
  type PendingEdits,
  type View,
} from './model'

/** 3 by 3 grid with a block in the middle: CAT / O.E / WEN. */
function view(letters = '         '): View {
  const cells = [...'....#....'].map((mark, at): Cell => {
    const plain = { given: false, pencil: false, wrong: false, confirmed: false, revealed: false, circle: false, bar_right: false, bar_below: false }
    return { ...plain, kind: mark === '#' ? 'block' : 'open', ...(letters[at] !== ' ' && { letters: letters[at] }) }
  })
  const clue = (direction: Clue['direction'], label: string, cells: number[]): Clue => ({ direction, label, clue: '', cells })
  const clues = [clue('across', '1', [0, 1, 2]), clue('across', '3', [6, 7, 8]), clue('down', '1', [0, 3, 6]), clue('down', '2', [2, 5, 8])]
  return { width: 3, height: 3, cells, clues } as unknown as View
}

const edits = (letters: Record<number, string | null>, pencil = false): PendingEdits => new Map(Object.entries(letters).map(([cell, letters]) => [Number(cell), { letters, pencil }]))

describe('cursor', () => {
  it('starts at the first entry with an empty cell', () => {
    expect(start(view())).toEqual({ cell: 0, direction: 'across' })
    expect(start(view('CAT      '))).toEqual({ cell: 6, direction: 'across' })
  })

  it('an arrow turns first, then moves over blocks', () => {
    const there = view()
    expect(arrow(there, { cell: 0, direction: 'across' }, 'down', 1)).toEqual({ cell: 0, direction: 'down' })
    expect(arrow(there, { cell: 0, direction: 'down' }, 'down', 1)).toEqual({ cell: 3, direction: 'down' })
    // No entry runs across from cell 3: the cursor moves at once, over the block.
    expect(arrow(there, { cell: 3, direction: 'down' }, 'across', 1)).toEqual({ cell: 5, direction: 'down' })
    expect(beside(there, 2, 'across', 1)).toBeNull()
    expect(beside(there, 1, 'down', 1)).toBe(7)
  })

  it('after a letter goes to the next empty cell, then to the next entry', () => {
    const there = view()
    expect(advance(there, edits({ 0: 'C' }), { cell: 0, direction: 'across' })).toEqual({ cell: 1, direction: 'across' })
    expect(advance(there, edits({ 0: 'C', 1: 'A' }), { cell: 0, direction: 'across' })).toEqual({ cell: 2, direction: 'across' })
    expect(advance(there, edits({ 0: 'C', 1: 'A', 2: 'T' }), { cell: 2, direction: 'across' })).toEqual({ cell: 6, direction: 'across' })
    // The last cell of an entry that is not full keeps the cursor.
    expect(advance(there, edits({ 2: 'T' }), { cell: 2, direction: 'across' })).toEqual({ cell: 2, direction: 'across' })
    expect(retreat(there, { cell: 1, direction: 'across' })).toEqual({ cell: 0, direction: 'across' })
  })

  it('Tab steps through the lists and wraps around', () => {
    const there = view('CAT      ')
    expect(nextEntry(there, NO_EDITS, 0, 1, false)).toBe(1)
    expect(nextEntry(there, NO_EDITS, 3, 1, false)).toBe(0)
    expect(nextEntry(there, NO_EDITS, 3, 1, true)).toBe(1)
    expect(nextEntry(there, NO_EDITS, 0, -1, false)).toBe(3)
    expect(currentEntry(there, { cell: 3, direction: 'across' })).toBe(2)
    expect(enter(there, NO_EDITS, 2)).toEqual({ cell: 3, direction: 'down' })
  })
})

describe('writing', () => {
  it('counts pending edits and protects settled cells', () => {
    const there = view('CAT      ')
    there.cells[0]!.confirmed = true
    expect(progress(there, edits({ 3: 'O', 1: null }))).toEqual({ done: 3, of: 8 })
    expect([editable(there, 0), editable(there, 1), editable(there, 4)]).toEqual([false, true, false])
  })

  it('groups edits into few actions', () => {
    expect(batches(edits({ 3: 'O' }))).toEqual([{ do: 'write', cell: 3, letters: 'O', pencil: false }])
    const mixed = new Map([...edits({ 0: 'C', 1: 'A', 5: null }), ...edits({ 6: 'W' }, true)])
    expect(batches(mixed)).toEqual([
      {
        do: 'fill',
        cells: [
          { cell: 0, letters: 'C' },
          { cell: 1, letters: 'A' },
        ],
        pencil: false,
      },
      { do: 'write', cell: 6, letters: 'W', pencil: true },
      { do: 'erase', cell: 5 },
    ])
  })

  it('takes letters and digits, several for a rebus', () => {
    expect([readLetters('š'), readLetters('ten'), readLetters('4'), readLetters('-'), readLetters(''), readLetters('ABCDEFGHIJKLM')]).toEqual(['Š', 'TEN', '4', null, null, null])
  })

  it("shows the language's letters on the keyboard", () => {
    expect(keyboard('en')).toHaveLength(3)
    expect(keyboard('pl-PL').flat()).toContain('Ł')
    expect(keyboard('cs').flat()).toContain('Ů')
    expect([clock(5), clock(65), clock(3661)]).toEqual(['00:05', '01:05', '1:01:01'])
  })
})

describe('grid editor', () => {
  it('numbers entries as newspapers do', () => {
    const sketch = blank(3, 3, 'en')
    sketch.blocks[4] = true
    const { numbers, entries: all } = entries(sketch)
    expect(numbers).toEqual([1, null, 2, null, null, null, 3, null, null])
    expect(all.map(({ direction, number, cells }) => `${number} ${direction} ${cells.join()}`)).toEqual(['1 across 0,1,2', '3 across 6,7,8', '1 down 0,3,6', '2 down 2,5,8'])
  })

  it('exports ipuz and keeps blocks when resized', () => {
    const sketch = { ...blank(3, 3, 'en'), clues: { 'across 1': ' Feline ' } }
    sketch.blocks[4] = true
    const made = JSON.parse(ipuz(sketch)) as { puzzle: unknown[][]; clues: Record<string, unknown[]> }
    expect(made.puzzle).toEqual([
      [1, 0, 2],
      [0, '#', 0],
      [3, 0, 0],
    ])
    expect(made.clues.Across).toEqual([
      [1, 'Feline'],
      [3, ''],
    ])
    expect(resized(sketch, 4, 3).blocks.flatMap((block, at) => (block ? [at] : []))).toEqual([5])
  })
})
