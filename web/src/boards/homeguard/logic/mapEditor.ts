/** Pure functions that edit the rows of a map. */

import type { MapJson, Place } from '../model'

export const BRUSHES = ['rock', 'tree', 'door', 'home', 'away', 'empty'] as const
export type Brush = (typeof BRUSHES)[number]

export const SIZES = [7, 9, 11, 13, 15] as const

const EMPTY = '.'
const SIGNS: Partial<Record<Brush, string>> = { rock: '0', tree: '1', home: '2', away: '3' }

const isFloor = ({ x, y }: Place): boolean => (x + y) % 2 === 0
export const signAt = (map: MapJson, { x, y }: Place): string => map.rows[y]?.[x] ?? EMPTY

/** An empty map with the default start cells. */
export function blank(size: number): MapJson {
  const rows = Array.from({ length: size }, () => EMPTY.repeat(size))
  let map: MapJson = { size, rows }
  for (const at of [
    { x: 2, y: 0 },
    { x: 0, y: 2 },
  ])
    map = put(map, at, '2')
  for (const at of [
    { x: size - 1, y: 0 },
    { x: 0, y: size - 1 },
  ])
    map = put(map, at, '3')
  return map
}

function put(map: MapJson, at: Place, sign: string): MapJson {
  const rows = map.rows.map((row, y) => (y === at.y ? row.slice(0, at.x) + sign + row.slice(at.x + 1) : row))
  return { ...map, rows }
}

/** Whether a brush fits a cell: covers go between floor cells, everything else on them. */
export const fits = (brush: Brush, at: Place): boolean => brush === 'empty' || (brush === 'rock' || brush === 'tree') !== isFloor(at)

/** Letter of a door that lacks its other end, else the first free letter. */
function nextDoor(map: MapJson): string | null {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const count = (letter: string) => map.rows.join('').split(letter).length - 1
  return [...letters].find((letter) => count(letter) === 1) ?? [...letters].find((letter) => count(letter) === 0) ?? null
}

/** The map after a brush stroke; the same sign again clears the cell. */
export function paint(map: MapJson, at: Place, brush: Brush): MapJson {
  if (!fits(brush, at)) return map
  const old = signAt(map, at)
  if (brush === 'empty') return put(map, at, EMPTY)
  if (brush === 'door') {
    if (/[A-Z]/.test(old)) return put(map, at, EMPTY)
    const letter = nextDoor(put(map, at, EMPTY))
    return letter ? put(map, at, letter) : map
  }
  const sign = SIGNS[brush]!
  if (old === sign) return put(map, at, EMPTY)
  // A third soldier replaces the first.
  const others = brush === 'home' || brush === 'away' ? places(map, sign) : []
  const cleared = others.length >= 2 ? put(map, others[0]!, EMPTY) : map
  return put(cleared, at, sign)
}

function places(map: MapJson, sign: string): Place[] {
  return map.rows.flatMap((row, y) => [...row].flatMap((found, x) => (found === sign ? [{ x, y }] : [])))
}

/** Copies the covers above the main diagonal below it. */
export function mirrored(map: MapJson): MapJson {
  let next = map
  for (let y = 0; y < map.size; y++) {
    for (let x = 0; x < y; x++) {
      if (!isFloor({ x, y })) next = put(next, { x, y }, signAt(map, { x: y, y: x }))
    }
  }
  return next
}

export type Problem = { kind: 'home' | 'away' | 'close' } | { kind: 'door'; letter: string }

/** Reasons why a map cannot be played. */
export function problems(map: MapJson): Problem[] {
  const found: Problem[] = []
  const [home, away] = [places(map, '2'), places(map, '3')]
  if (home.length !== 2) found.push({ kind: 'home' })
  if (away.length !== 2) found.push({ kind: 'away' })
  const soldiers = [...home, ...away]
  const near = (a: Place, b: Place) => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= 1
  if (soldiers.some((a, i) => soldiers.slice(i + 1).some((b) => near(a, b)))) found.push({ kind: 'close' })
  for (const letter of new Set(map.rows.join('').replace(/[^A-Z]/g, ''))) {
    if (places(map, letter).length !== 2) found.push({ kind: 'door', letter })
  }
  return found
}

/** Parses a map in the text format of Šindelář 2024; null unless it is square, odd, 7 to 15 wide and has known signs. */
export function fromText(text: string): MapJson | null {
  const rows = text.replace(/\r/g, '').replace(/\n+$/, '').split('\n')
  const size = rows.length
  if (!(SIZES as readonly number[]).includes(size) || rows.some((row) => row.length > size)) return null
  const full = rows.map((row) => row.padEnd(size, EMPTY).replaceAll(' ', EMPTY))
  const right = full.every((row, y) => [...row].every((sign, x) => sign === EMPTY || (isFloor({ x, y }) ? /[23A-Z]/ : /[01]/).test(sign)))
  return right ? { size, rows: full } : null
}
