/** Pure model of the Gomoku board: points and their names, earlier positions, cursor, geometry. */

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

/** View of a table, as the server sends it. */
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

/** Column letter; I is not skipped. */
export const columnName = (x: number): string => String.fromCharCode(65 + x)

/** Point name: column letter, then row counted from the bottom. */
export const pointName = ({ x, y }: Point, size: number): string => `${columnName(x)}${size - y}`

/** Parses a name such as `H8`; null if it names no point of the board. */
export function readPoint(text: string, size: number): Point | null {
  const match = /^\s*([a-z])(\d{1,2})\s*$/i.exec(text)
  if (!match) return null
  const x = match[1]!.toUpperCase().charCodeAt(0) - 65
  const y = size - Number(match[2])
  return x < size && y >= 0 && y < size ? { x, y } : null
}

/** Parses concatenated points, `h8i9` or `H8 I9`. */
export function readPoints(text: string, size: number): Point[] {
  return [...text.matchAll(/[a-z]\d{1,2}/gi)].flatMap(([name]) => readPoint(name, size) ?? [])
}

/** Star points of a real board. */
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

/** Number of stones placed by the settings, before the first action. */
export function startStones(view: View): number {
  return view.stones.length - view.actions.filter((action) => isPlace(action, view.size)).length
}

/** Number of stones on the board after `ply` actions. */
export function stonesAfter(view: View, ply: number): number {
  return startStones(view) + view.actions.slice(0, ply).filter((action) => isPlace(action, view.size)).length
}

/** View after `ply` actions, computed from the newest view. Forbidden points are known for the newest position only. */
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

/** Stone placed by the newest action, if that action placed one. */
export function lastStone(view: View): Stone | null {
  const action = view.actions.at(-1)
  if (action === undefined || !isPlace(action, view.size)) return null
  return view.stones.at(-1) ?? null
}

/** The view after the user's own action, before the server answers. Colour choices are left to the server. */
export function predict(view: View, action: Action): View | null {
  if (action.type !== 'place' || view.phase !== 'play' || !canPlace(view, action)) return null
  const stone: Stone = { x: action.x, y: action.y, color: view.to_move }
  return { ...view, stones: [...view.stones, stone], to_move: opposite(view.to_move), forbidden: [], acting: null, actions: [...view.actions, pointName(stone, view.size)] }
}

/** Colour a seat plays; null before the swap2 choice. */
export function colorOf(view: View, seat: number): Color | null {
  if (view.black === null) return null
  return view.black === seat ? 'black' : 'white'
}

/** Whether the view allows a stone on this point. */
export function canPlace(view: View, point: Point): boolean {
  if (view.phase === 'choose' || view.phase === 'choose_or_add') return false
  return !stoneAt(view.stones, point) && !view.forbidden.some((spot) => same(spot, point))
}

/** Cursor after a key; null if the key does not move it. */
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

/** Cell size in SVG units; drawing and hit testing share it. */
export const CELL = 40

/** Margin above and to the right of the grid. */
export const MARGIN = 30

/** Margin to the left of and below the grid; wider with coordinates. */
export const labelMargin = (coordinates: boolean): number => (coordinates ? 46 : MARGIN)

/** Width and height of the SVG. */
export const svgSize = (size: number, coordinates: boolean): number => (size - 1) * CELL + MARGIN + labelMargin(coordinates)

/** SVG position of a point. */
export const toSvg = (point: Point, coordinates: boolean): Point => ({
  x: labelMargin(coordinates) + point.x * CELL,
  y: MARGIN + point.y * CELL,
})

/** Grid lines as an SVG path. */
export function gridPath(size: number, coordinates: boolean): string {
  const from = toSvg({ x: 0, y: 0 }, coordinates)
  const to = toSvg({ x: size - 1, y: size - 1 }, coordinates)
  return Array.from({ length: size }, (_, i) => `M${from.x} ${from.y + i * CELL}H${to.x}M${from.x + i * CELL} ${from.y}V${to.y}`).join('')
}

/** Nearest point to an SVG position; null if none is near. */
export function pointUnder(x: number, y: number, size: number, coordinates: boolean): Point | null {
  const column = Math.round((x - labelMargin(coordinates)) / CELL)
  const row = Math.round((y - MARGIN) / CELL)
  return column >= 0 && row >= 0 && column < size && row < size ? { x: column, y: row } : null
}

/** Numbers the stones of a variation from 1 and gives them colours. */
export function lineStones(view: View, line: readonly Point[]): (Stone & { number: number })[] {
  let color = view.to_move
  return line.map((point, index) => {
    const stone = { x: point.x, y: point.y, color, number: index + 1 }
    color = opposite(color)
    return stone
  })
}

/** Ply of the action that placed stone `number` (from 1); 0 for stones from the settings. */
export function plyOfStone(view: View, number: number): number {
  let left = number - startStones(view)
  if (left <= 0) return 0
  for (const [index, action] of view.actions.entries()) {
    if (isPlace(action, view.size) && --left === 0) return index + 1
  }
  return view.actions.length
}

/** Stones in plain notation, the format of requests and settings. */
export const plainNotation = (view: View): string => view.stones.map((stone) => pointName(stone, view.size).toLowerCase()).join('')

/** Whether colours alternate from black, as plain notation requires. */
export const alternates = (stones: readonly Stone[]): boolean => stones.every((stone, index) => (stone.color === 'black') === (index % 2 === 0))
