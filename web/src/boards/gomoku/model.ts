/** Gomoku without a page: points and their names, moments of a game, the cursor, geometry. */

export type Color = 'black' | 'white'
export type Phase = 'three_stones' | 'choose_or_add' | 'two_stones' | 'choose' | 'play'

export interface Point {
  x: number
  y: number
}

export interface Spot extends Point {
  name: string
}

export interface Stone extends Point {
  color: Color
}

export interface ForbiddenSpot extends Spot {
  why: string
}

/** What the server shows of a table. */
export interface View {
  size: number
  rule: string
  stones: Stone[]
  to_move: Color
  phase: Phase
  acting: number | null
  black: number | null
  my_color: Color | null
  line: Spot[]
  forbidden: ForbiddenSpot[]
  actions: string[]
}

export type Action = { type: 'place'; x: number; y: number } | { type: 'take_black' | 'take_white' | 'add_two' }

export const opposite = (color: Color): Color => (color === 'black' ? 'white' : 'black')
export const same = (a: Point | null | undefined, b: Point | null | undefined): boolean => Boolean(a && b && a.x === b.x && a.y === b.y)

/** The letter over a column; no letter is left out. */
export const columnName = (x: number): string => String.fromCharCode(65 + x)

/** A point's name: column letter, row from the bottom. */
export const pointName = ({ x, y }: Point, size: number): string => `${columnName(x)}${size - y}`

/** Reads a name such as `H8`; null where it names no point of the board. */
export function readPoint(text: string, size: number): Point | null {
  const match = /^\s*([a-z])(\d{1,2})\s*$/i.exec(text)
  if (!match) return null
  const x = match[1]!.toUpperCase().charCodeAt(0) - 65
  const y = size - Number(match[2])
  return x < size && y >= 0 && y < size ? { x, y } : null
}

/** Reads stones written one after the other, `h8i9` or `H8 I9`. */
export function readPoints(text: string, size: number): Point[] {
  return [...text.matchAll(/[a-z]\d{1,2}/gi)].flatMap(([name]) => readPoint(name, size) ?? [])
}

/** The points marked on a real board. */
export function starPoints(size: number): Point[] {
  if (size < 9) return []
  const edge = size < 13 ? 2 : 3
  const middle = size % 2 === 1 ? (size - 1) / 2 : null
  const ends = [edge, size - 1 - edge]
  const stars = ends.flatMap((x) => ends.map((y) => ({ x, y })))
  if (middle !== null) {
    stars.push({ x: middle, y: middle })
    if (size >= 19) for (const end of ends) stars.push({ x: middle, y: end }, { x: end, y: middle })
  }
  return stars
}

export function stoneAt(stones: readonly Stone[], point: Point): Stone | undefined {
  return stones.find((stone) => same(stone, point))
}

const isPlace = (action: string, size: number) => readPoint(action, size) !== null

/** Stones that lay on the board before the first action. */
export function startStones(view: View): number {
  return view.stones.length - view.actions.filter((action) => isPlace(action, view.size)).length
}

/** How many stones lay on the board after `ply` actions. */
export function stonesAfter(view: View, ply: number): number {
  return startStones(view) + view.actions.slice(0, ply).filter((action) => isPlace(action, view.size)).length
}

/** The view after `ply` actions, from the newest one. Forbidden points are only known for now. */
export function viewAt(view: View, ply: number): View {
  if (ply >= view.actions.length) return view
  const count = stonesAfter(view, ply)
  const next = view.stones[count]
  return {
    ...view,
    stones: view.stones.slice(0, count),
    to_move: next?.color ?? view.to_move,
    line: [],
    forbidden: [],
    acting: null,
    actions: view.actions.slice(0, ply),
  }
}

/** The stone that the newest action placed, if it was a stone. */
export function lastStone(view: View): Stone | null {
  const action = view.actions.at(-1)
  if (action === undefined || !isPlace(action, view.size)) return null
  return view.stones.at(-1) ?? null
}

/** The colour a seat plays, once that is settled. */
export function colorOf(view: View, seat: number): Color | null {
  if (view.black === null) return null
  return view.black === seat ? 'black' : 'white'
}

/** Whether a stone may be placed there as far as the view tells. */
export function placeable(view: View, point: Point): boolean {
  if (view.phase === 'choose' || view.phase === 'choose_or_add') return false
  return !stoneAt(view.stones, point) && !view.forbidden.some((spot) => same(spot, point))
}

/** Moves a cursor by a key; null for keys that do not move it. */
export function moveCursor(at: Point, key: string, size: number): Point | null {
  const clamp = (value: number) => Math.max(0, Math.min(size - 1, value))
  switch (key) {
    case 'ArrowLeft':
      return { x: clamp(at.x - 1), y: at.y }
    case 'ArrowRight':
      return { x: clamp(at.x + 1), y: at.y }
    case 'ArrowUp':
      return { x: at.x, y: clamp(at.y - 1) }
    case 'ArrowDown':
      return { x: at.x, y: clamp(at.y + 1) }
    case 'Home':
      return { x: 0, y: at.y }
    case 'End':
      return { x: size - 1, y: at.y }
    case 'PageUp':
      return { x: at.x, y: 0 }
    case 'PageDown':
      return { x: at.x, y: size - 1 }
    default:
      return null
  }
}

/** Side of a board cell in the picture's own units; the board is drawn by it and read back by it. */
export const CELL = 40

/** Space above and to the right of the grid. */
export const MARGIN = 30

/** Space to the left of the grid and below it, wider where coordinates stand. */
export const wide = (coordinates: boolean): number => (coordinates ? 46 : MARGIN)

/** The picture's side. */
export const side = (size: number, coordinates: boolean): number => (size - 1) * CELL + MARGIN + wide(coordinates)

/** Where a point lies in the picture. */
export const place = (point: Point, coordinates: boolean): Point => ({
  x: wide(coordinates) + point.x * CELL,
  y: MARGIN + point.y * CELL,
})

/** The grid's lines as an SVG path. */
export function gridPath(size: number, coordinates: boolean): string {
  const from = place({ x: 0, y: 0 }, coordinates)
  const to = place({ x: size - 1, y: size - 1 }, coordinates)
  return Array.from({ length: size }, (_, i) => `M${from.x} ${from.y + i * CELL}H${to.x}M${from.x + i * CELL} ${from.y}V${to.y}`).join('')
}

/** The point under a place of the picture, if one is near enough. */
export function pointUnder(x: number, y: number, size: number, coordinates: boolean): Point | null {
  const column = Math.round((x - wide(coordinates)) / CELL)
  const row = Math.round((y - MARGIN) / CELL)
  return column >= 0 && row >= 0 && column < size && row < size ? { x: column, y: row } : null
}

/** Stones of a line of play laid onto a position, numbered from 1. */
export function lineStones(view: View, line: readonly Point[]): (Stone & { number: number })[] {
  let color = view.to_move
  return line.map((point, index) => {
    const stone = { x: point.x, y: point.y, color, number: index + 1 }
    color = opposite(color)
    return stone
  })
}

/** The ply of the action that placed stone `number` (from 1); 0 for stones that lay there from the start. */
export function plyOfStone(view: View, number: number): number {
  let left = number - startStones(view)
  if (left <= 0) return 0
  for (const [index, action] of view.actions.entries()) {
    if (isPlace(action, view.size) && --left === 0) return index + 1
  }
  return view.actions.length
}

/** The stones in plain notation, as requests and settings take them. */
export const plain = (view: View): string => view.stones.map((stone) => pointName(stone, view.size).toLowerCase()).join('')

/** Whether the stones alternate from black, which plain notation needs. */
export const alternates = (stones: readonly Stone[]): boolean =>
  stones.every((stone, index) => (stone.color === 'black') === (index % 2 === 0))
