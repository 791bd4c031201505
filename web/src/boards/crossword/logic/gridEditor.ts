/** Model of the grid editor: blocks, numbers, clues, export as ipuz. */

import type { Direction } from '../model'

export interface Sketch {
  width: number
  height: number
  /** Block cells, in reading order. */
  blocks: boolean[]
  language: string
  title: string
  /** Clues by direction and number, such as `across 3`. */
  clues: Record<string, string>
}

export interface SketchEntry {
  direction: Direction
  number: number
  cells: number[]
}

export const MIN_SIDE = 3
export const MAX_SIDE = 21

export function blank(width: number, height: number, language: string): Sketch {
  return { width, height, blocks: Array.from({ length: width * height }, () => false), language, title: '', clues: {} }
}

/** The sketch at another size; cells inside both sizes keep their state. */
export function resized(sketch: Sketch, width: number, height: number): Sketch {
  const blocks = Array.from({ length: width * height }, (_, at) => {
    const [row, col] = [Math.floor(at / width), at % width]
    return row < sketch.height && col < sketch.width ? sketch.blocks[row * sketch.width + col]! : false
  })
  return { ...sketch, width, height, blocks }
}

/** Entries of at least two cells with newspaper numbering. */
export function entries({ width, height, blocks }: Sketch): { numbers: (number | null)[]; entries: SketchEntry[] } {
  const open = (row: number, col: number) => row >= 0 && col >= 0 && row < height && col < width && !blocks[row * width + col]
  const numbers: (number | null)[] = blocks.map(() => null)
  const across: SketchEntry[] = []
  const down: SketchEntry[] = []
  let number = 0
  for (let at = 0; at < blocks.length; at++) {
    const [row, col] = [Math.floor(at / width), at % width]
    if (!open(row, col)) continue
    const goesAcross = !open(row, col - 1) && open(row, col + 1)
    const goesDown = !open(row - 1, col) && open(row + 1, col)
    if (!goesAcross && !goesDown) continue
    numbers[at] = ++number
    if (goesAcross) {
      const cells = [at]
      while (open(row, col + cells.length)) cells.push(at + cells.length)
      across.push({ direction: 'across', number, cells })
    }
    if (goesDown) {
      const cells = [at]
      while (open(row + cells.length, col)) cells.push(at + cells.length * width)
      down.push({ direction: 'down', number, cells })
    }
  }
  return { numbers, entries: [...across, ...down] }
}

export const clueKey = ({ direction, number }: SketchEntry): string => `${direction} ${number}`

/** The sketch as ipuz text, without a solution. */
export function ipuz(sketch: Sketch): string {
  const { numbers, entries: all } = entries(sketch)
  const rows = Array.from({ length: sketch.height }, (_, row) =>
    Array.from({ length: sketch.width }, (_, col) => {
      const at = row * sketch.width + col
      return sketch.blocks[at] ? '#' : (numbers[at] ?? 0)
    }),
  )
  const clues = (direction: Direction) => all.filter((entry) => entry.direction === direction).map((entry) => [entry.number, (sketch.clues[clueKey(entry)] ?? '').trim()])
  return JSON.stringify({
    version: 'http://ipuz.org/v2',
    kind: ['http://ipuz.org/crossword#1'],
    title: sketch.title,
    locale: sketch.language,
    dimensions: { width: sketch.width, height: sketch.height },
    puzzle: rows,
    clues: { Across: clues('across'), Down: clues('down') },
  })
}
