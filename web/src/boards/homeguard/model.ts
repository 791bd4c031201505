/** Pure model of the Homeguard board: the server's view and the calculations the board needs. */

export interface Place {
  x: number
  y: number
}

export type Order = 'stay' | 'north_west' | 'north_east' | 'south_west' | 'south_east' | 'portal'

export interface Soldier {
  number: number
  /** 0 home, 1 away. */
  seat: number
  at: Place
  hp: number
}

export interface Move {
  soldier: number
  order: Order
  from: Place
  to: Place
  blocked: boolean
}

export interface Shot {
  shooter: number
  target: number
  damage: number
}

export interface Round {
  number: number
  moves: Move[]
  shots: Shot[]
  falls: { soldier: number; at: Place; back_at: Place }[]
  after: Soldier[]
  kills: [number, number]
  score: number
}

export interface MapJson {
  size: number
  rows: string[]
}

export interface View {
  map: MapJson
  soldiers: Soldier[]
  kills: [number, number]
  score: number
  round: number
  round_cap: number
  sudden_death_from?: number
  /** Home's lead in middle control. */
  control?: number
  /** Lead in middle control that wins; absent under other rules. */
  control_to_win?: number
  committed: [boolean, boolean]
  own_orders?: [Order, Order]
  rounds: Round[]
  ended?: { winner?: number; reason: string }
}

export interface Action {
  orders: [Order, Order]
}

export type Cover = 'none' | 'rock' | 'tree'

export interface Cell extends Place {
  /** Soldiers walk on floor cells; the other cells can hold cover. */
  floor: boolean
  cover: Cover
  /** Letter of the pair of doors; null for no door. */
  door: string | null
}

/** Hit points of a healthy soldier. */
export const FULL_HP = 40
/** Cell size in SVG units. */
export const CELL = 48

const STEPS: Record<Exclude<Order, 'stay' | 'portal'>, Place> = {
  north_west: { x: -1, y: -1 },
  north_east: { x: 1, y: -1 },
  south_west: { x: -1, y: 1 },
  south_east: { x: 1, y: 1 },
}

export const same = (a: Place, b: Place): boolean => a.x === b.x && a.y === b.y
export const key = ({ x, y }: Place): string => `${x}.${y}`
/** SVG position of a cell's centre. */
export const middle = ({ x, y }: Place): Place => ({ x: (x + 0.5) * CELL, y: (y + 0.5) * CELL })
export const cellName = ({ x, y }: Place): string => `${String.fromCharCode(65 + x)}${y + 1}`

/** Cells in reading order. */
export function cells(map: MapJson): Cell[] {
  return map.rows.flatMap((row, y) =>
    [...row].map((sign, x) => ({
      x,
      y,
      floor: (x + y) % 2 === 0,
      cover: sign === '0' ? 'rock' : sign === '1' ? 'tree' : ('none' as Cover),
      door: /[A-Z]/.test(sign) ? sign : null,
    })),
  )
}

/** Other end of a door. */
export function otherDoor(map: MapJson, at: Place): Place | null {
  const all = cells(map)
  const here = all.find((cell) => same(cell, at))
  if (!here?.door) return null
  return all.find((cell) => cell.door === here.door && !same(cell, at)) ?? null
}

/** Destination of an order; null if it leaves the map. */
export function target(map: MapJson, from: Place, order: Order): Place | null {
  if (order === 'stay') return from
  if (order === 'portal') return otherDoor(map, from)
  const step = STEPS[order]
  const to = { x: from.x + step.x, y: from.y + step.y }
  return to.x >= 0 && to.y >= 0 && to.x < map.size && to.y < map.size ? to : null
}

/** Soldiers of a seat, in the order of its orders. */
export const soldiersOf = (view: View, seat: number): Soldier[] => view.soldiers.filter((soldier) => soldier.seat === seat)

/** Orders that soldier `index` may get, given the other soldier's order and the legal pairs. */
export function allowedOrders(pairs: readonly Action[], index: 0 | 1, draft: readonly (Order | null)[]): Order[] {
  const other = draft[1 - index]
  const fitting = pairs.filter(({ orders }) => other === null || other === undefined || orders[1 - index] === other)
  return [...new Set(fitting.map(({ orders }) => orders[index]!))]
}

/** The order that takes soldier `index` to a cell; null if none does. */
export function orderTo(view: View, pairs: readonly Action[], seat: number, index: 0 | 1, draft: readonly (Order | null)[], to: Place): Order | null {
  const soldier = soldiersOf(view, seat)[index]
  if (!soldier) return null
  return (
    allowedOrders(pairs, index, draft).find((order) => {
      const reached = target(view.map, soldier.at, order)
      return reached !== null && same(reached, to)
    }) ?? null
  )
}

/** The view after `rounds` finished rounds. */
export function afterRounds(view: View, rounds: number): View {
  const kept = view.rounds.slice(0, rounds)
  const last = kept.at(-1)
  const start = view.rounds[0]
  const soldiers = last ? last.after : start ? beforeFirst(view, start) : view.soldiers
  return { ...view, rounds: kept, round: kept.length, soldiers, kills: last?.kills ?? [0, 0], score: last?.score ?? 0, committed: [false, false], own_orders: undefined, ended: undefined }
}

function beforeFirst(view: View, first: Round): Soldier[] {
  return view.soldiers.map((soldier) => ({ ...soldier, hp: FULL_HP, at: first.moves.find((move) => move.soldier === soldier.number)?.from ?? soldier.at }))
}

/** Phases in which a round is shown. */
export type Phase = 'move' | 'fire'

/** Soldiers during a round: moved, and in the second phase hit but not respawned yet. */
export function soldiersDuring(round: Round, before: readonly Soldier[], phase: Phase): Soldier[] {
  return before.map((soldier) => {
    const at = round.moves.find((move) => move.soldier === soldier.number)?.to ?? soldier.at
    const hurt = phase === 'fire' ? round.shots.filter((shot) => shot.target === soldier.number).reduce((sum, { damage }) => sum + damage, 0) : 0
    return { ...soldier, at, hp: Math.max(0, soldier.hp - hurt) }
  })
}

/** Cursor after a key. It stays on floor cells, so it moves in a checkerboard pattern. */
export function moveCursor(at: Place, pressed: string, size: number): Place | null {
  const steps: Record<string, Place> = { ArrowLeft: { x: -2, y: 0 }, ArrowRight: { x: 2, y: 0 }, ArrowUp: { x: 0, y: -2 }, ArrowDown: { x: 0, y: 2 } }
  const diagonal: Record<string, Place> = { q: { x: -1, y: -1 }, e: { x: 1, y: -1 }, y: { x: -1, y: 1 }, z: { x: -1, y: 1 }, c: { x: 1, y: 1 } }
  const step = steps[pressed] ?? diagonal[pressed.toLowerCase()]
  if (!step) return null
  const to = { x: at.x + step.x, y: at.y + step.y }
  if (to.x < 0 || to.y < 0 || to.x >= size || to.y >= size) return at
  return to
}
