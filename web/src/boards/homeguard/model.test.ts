import { describe, expect, it } from 'vitest'
import { afterRounds, allowedOrders, cells, soldiersDuring, moveCursor, orderTo, otherDoor, target, type Action, type Round, type Soldier, type View } from './model'

const map = { size: 7, rows: ['..2...3', '.......', '2.1...A', '.0...0.', '....1..', '.......', '3.A....'] }
const soldier = (number: number, x: number, y: number) => ({ number, seat: number < 2 ? 0 : 1, at: { x, y }, hp: 40 })
const view: View = {
  map,
  soldiers: [soldier(0, 2, 0), soldier(1, 0, 2), soldier(2, 6, 0), soldier(3, 0, 6)],
  kills: [0, 0],
  score: 0,
  round: 0,
  round_cap: 60,
  committed: [false, false],
  rounds: [],
}

describe('the map', () => {
  it('distinguishes floor from cover', () => {
    const all = cells(map)
    expect(all).toHaveLength(49)
    expect(all[2 * 7 + 2]).toMatchObject({ floor: true, cover: 'tree' })
    expect(all[3 * 7 + 1]).toMatchObject({ cover: 'rock' })
    expect(all[2 * 7 + 6]).toMatchObject({ door: 'A' })
  })
  it('knows where doors lead', () => {
    expect(otherDoor(map, { x: 6, y: 2 })).toMatchObject({ x: 2, y: 6 })
    expect(otherDoor(map, { x: 0, y: 0 })).toBeNull()
  })
  it('knows where orders lead', () => {
    expect(target(map, { x: 2, y: 0 }, 'south_east')).toEqual({ x: 3, y: 1 })
    expect(target(map, { x: 2, y: 0 }, 'north_east')).toBeNull()
    expect(target(map, { x: 2, y: 0 }, 'stay')).toEqual({ x: 2, y: 0 })
  })
})

describe('orders', () => {
  const pairs: Action[] = [{ orders: ['stay', 'stay'] }, { orders: ['south_east', 'stay'] }, { orders: ['south_west', 'north_east'] }]
  it("fit the other soldier's order", () => {
    expect(allowedOrders(pairs, 0, [null, null])).toEqual(['stay', 'south_east', 'south_west'])
    expect(allowedOrders(pairs, 0, [null, 'stay'])).toEqual(['stay', 'south_east'])
    expect(allowedOrders(pairs, 1, ['south_west', null])).toEqual(['north_east'])
  })
  it('are found by their destination', () => {
    expect(orderTo(view, pairs, 0, 0, [null, null], { x: 3, y: 1 })).toBe('south_east')
    expect(orderTo(view, pairs, 0, 0, [null, 'north_east'], { x: 3, y: 1 })).toBeNull()
    expect(orderTo(view, pairs, 0, 1, ['stay', null], { x: 0, y: 2 })).toBe('stay')
  })
})

describe('earlier rounds', () => {
  const later: View = {
    ...view,
    round: 1,
    kills: [1, 0],
    rounds: [
      {
        number: 1,
        moves: [{ soldier: 0, order: 'south_east', from: { x: 2, y: 0 }, to: { x: 3, y: 1 }, blocked: false }],
        shots: [],
        falls: [],
        after: [soldier(0, 3, 1), soldier(1, 0, 2), soldier(2, 6, 0), soldier(3, 0, 6)],
        kills: [1, 0],
        score: 40,
      },
    ],
  }
  it('restores the soldiers of the round', () => {
    expect(afterRounds(later, 1).soldiers[0]!.at).toEqual({ x: 3, y: 1 })
    expect(afterRounds(later, 0).soldiers[0]!.at).toEqual({ x: 2, y: 0 })
    expect(afterRounds(later, 0).kills).toEqual([0, 0])
  })
})

it('moves the cursor over floor cells and stops at the edge', () => {
  expect(moveCursor({ x: 2, y: 0 }, 'ArrowRight', 7)).toEqual({ x: 4, y: 0 })
  expect(moveCursor({ x: 2, y: 0 }, 'e', 7)).toEqual({ x: 2, y: 0 })
  expect(moveCursor({ x: 2, y: 2 }, 'c', 7)).toEqual({ x: 3, y: 3 })
  expect(moveCursor({ x: 2, y: 2 }, 'k', 7)).toBeNull()
})

describe('replay of a round', () => {
  const at = (x: number, y: number) => ({ x, y })
  const before: Soldier[] = [
    { number: 0, seat: 0, at: at(2, 0), hp: 40 },
    { number: 2, seat: 1, at: at(6, 0), hp: 10 },
  ]
  const round = {
    moves: [{ soldier: 0, from: at(2, 0), to: at(3, 1) }],
    shots: [{ shooter: 0, target: 2, damage: 10 }],
    falls: [{ soldier: 2, at: at(6, 0), back_at: at(6, 6) }],
  } as unknown as Round

  it('moves first, then applies shots, before respawning', () => {
    expect(soldiersDuring(round, before, 'move').map(({ at, hp }) => [at.x, at.y, hp])).toEqual([
      [3, 1, 40],
      [6, 0, 10],
    ])
    expect(soldiersDuring(round, before, 'fire').map(({ at, hp }) => [at.x, at.y, hp])).toEqual([
      [3, 1, 40],
      [6, 0, 0],
    ])
  })
})
