import { describe, expect, it } from 'vitest'
import {
  alternates,
  colorOf,
  lastStone,
  lineStones,
  moveCursor,
  toSvg,
  canPlace,
  plainNotation,
  plyOfStone,
  pointName,
  pointUnder,
  predict,
  readPoint,
  readPoints,
  svgSize,
  starPoints,
  startStones,
  stonesAfter,
  viewAt,
  type View,
} from './model'
import { boardSvg } from './logic/boardImage'
import { missed, reasonKey, reviewData, type ReviewedMove } from './services'

/** Builds a view from actions and stones placed before them. */
function view(actions: string, before = '', more: Partial<View> = {}): View {
  const size = 15
  const list = actions.split(' ').filter(Boolean)
  const points = [...readPoints(before, size), ...list.flatMap((action) => readPoint(action, size) ?? [])]
  const stones = points.map((point, index) => ({ ...point, color: index % 2 ? ('white' as const) : ('black' as const) }))
  return { size, rule: 'freestyle', stones, to_move: stones.length % 2 ? 'white' : 'black', phase: 'play', acting: 0, black: 0, my_color: 'black', line: [], forbidden: [], actions: list, ...more }
}

describe('points', () => {
  it('A1 is bottom left and I is not skipped', () => {
    expect(readPoint('A1', 15)).toEqual({ x: 0, y: 14 })
    expect(readPoint('i15', 15)).toEqual({ x: 8, y: 0 })
    expect(pointName({ x: 7, y: 7 }, 15)).toBe('H8')
  })

  it('rejects names outside the board', () => {
    for (const text of ['P1', 'A16', 'A0', 'H', '8', 'take-black']) expect(readPoint(text, 15), text).toBeNull()
  })

  it('places star points as on a real board', () => {
    expect(
      starPoints(15)
        .map((point) => pointName(point, 15))
        .sort(),
    ).toEqual(['D12', 'D4', 'H8', 'L12', 'L4'])
    expect(starPoints(19).length).toBe(9)
    expect(starPoints(20).length).toBe(4)
    expect(starPoints(7)).toEqual([])
  })

  it('hit testing inverts drawing', () => {
    for (const coordinates of [true, false]) {
      const { x, y } = toSvg({ x: 3, y: 11 }, coordinates)
      expect(pointUnder(x + 15, y - 15, 15, coordinates)).toEqual({ x: 3, y: 11 })
      expect(pointUnder(svgSize(15, coordinates) + 30, y, 15, coordinates)).toBeNull()
    }
  })
})

describe('earlier positions', () => {
  const game = view('I9 take-white J10 H7', 'h8g7h9')

  it('counts stones but not choices of colour', () => {
    expect(startStones(game)).toBe(3)
    expect([0, 1, 2, 3, 4].map((ply) => stonesAfter(game, ply))).toEqual([3, 4, 4, 5, 6])
    expect([3, 4, 5, 6].map((number) => plyOfStone(game, number))).toEqual([0, 1, 3, 4])
  })

  it('derives an earlier view with its side to move', () => {
    const early = viewAt(game, 1)
    expect(early.stones.length).toBe(4)
    expect(early.to_move).toBe('black')
    expect(viewAt(game, 4)).toBe(game)
  })

  it('marks the last stone only after a stone', () => {
    expect(lastStone(viewAt(game, 1))).toMatchObject({ x: 8, color: 'white' })
    expect(lastStone(viewAt(game, 2))).toBeNull()
    expect(lastStone(view(''))).toBeNull()
  })

  it('knows the colour of a seat after the choice', () => {
    expect(colorOf(view('', '', { black: 1 }), 0)).toBe('white')
    expect(colorOf(view('', '', { black: null }), 0)).toBeNull()
  })
})

describe('playing', () => {
  it('rejects occupied and forbidden points, and stones during the choice of colour', () => {
    const forbidden = [{ x: 1, y: 1, name: 'B14', why: 'double_three' }]
    const game = view('H8', '', { forbidden })
    expect(canPlace(game, { x: 7, y: 7 })).toBe(false)
    expect(canPlace(game, { x: 1, y: 1 })).toBe(false)
    expect(canPlace(game, { x: 2, y: 1 })).toBe(true)
    expect(canPlace({ ...game, phase: 'choose' }, { x: 2, y: 1 })).toBe(false)
  })

  it('the cursor stays on the board', () => {
    expect(moveCursor({ x: 0, y: 0 }, 'ArrowLeft', 15)).toEqual({ x: 0, y: 0 })
    expect(moveCursor({ x: 3, y: 3 }, 'PageDown', 15)).toEqual({ x: 3, y: 14 })
    expect(moveCursor({ x: 3, y: 3 }, 'a', 15)).toBeNull()
  })

  it('numbers a variation from the side to move', () => {
    const line = lineStones(view('H8'), readPoints('i9h9', 15))
    expect(line.map(({ color, number }) => `${color}${number}`)).toEqual(['white1', 'black2'])
  })

  it('writes plain notation', () => {
    expect(plainNotation(view('H8 I9'))).toBe('h8i9')
    expect(alternates(view('H8 I9').stones)).toBe(true)
    expect(alternates([{ x: 0, y: 0, color: 'white' }])).toBe(false)
  })
})

describe('board image', () => {
  it('contains every stone, and numbers on request', () => {
    const svg = boardSvg(view('H8 I9 H9'), { numbers: true, coordinates: true })
    expect(svg.match(/url\(#b\)/g)?.length).toBe(2)
    expect(svg.match(/url\(#w\)/g)?.length).toBe(1)
    expect(svg).toContain('>3</text>')
    expect(boardSvg(view('H8'), { numbers: false, coordinates: false })).not.toContain('<text')
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true)
  })
})

describe('review', () => {
  const spot = (name: string) => ({ ...readPoint(name, 15)!, name })
  const move = (number: number, before: number, after: number, more: Partial<ReviewedMove> = {}): ReviewedMove => ({
    number,
    color: number % 2 ? 'black' : 'white',
    played: spot('A1'),
    black_before: before,
    black_after: after,
    cost: Math.abs(after - before),
    mark: 'good',
    better: null,
    ...more,
  })

  it("draws the curve from the viewer's side and shows the position before a mistake", () => {
    const better = { move: spot('H9'), reason: { makes: 'four_three' as const, blocks: null }, note: '', line: [spot('H9')] }
    const moves = [move(1, 0.5, 0.6), move(2, 0.6, 0.6), move(3, 0.6, 0.1, { mark: 'blunder', better })]
    const data = reviewData(view('H8 I9 A1'), moves, 1, () => 'text')
    expect(data.curve.map(({ p }) => Number(p.toFixed(2)))).toEqual([0.5, 0.4, 0.4, 0.9])
    expect(data.moments).toEqual([{ ply: 3, show: 2, kind: 'blunder', text: 'text' }])
  })

  it('distinguishes missed wins from overlooked threats', () => {
    const reviewWith = (makes: 'four_three' | null, blocks: 'five' | 'three' | null) => missed(move(1, 0.5, 0, { better: { move: spot('H9'), reason: { makes, blocks }, note: '', line: [] } }))
    expect(reviewWith('four_three', 'five').key).toBe('missed')
    expect(reviewWith(null, 'five')).toEqual({ key: 'overlooked', threat: 'five' })
    expect(reviewWith(null, 'three').key).toBe('better')
  })

  it('orders reasons by importance', () => {
    expect(reasonKey({ makes: 'four', blocks: 'open_four' })).toBe('both')
    expect(reasonKey({ makes: 'three', blocks: 'three' })).toBe('makes')
    expect(reasonKey({ makes: null, blocks: 'four' })).toBe('stops')
    expect(reasonKey({ makes: null, blocks: null })).toBe('builds')
  })
})

describe('prediction', () => {
  it('places the stone and passes the turn', () => {
    const next = predict(view('H8'), { type: 'place', x: 8, y: 6 })!
    expect(next.stones.at(-1)).toEqual({ x: 8, y: 6, color: 'white' })
    expect([next.to_move, next.actions.at(-1)]).toEqual(['black', 'I9'])
  })

  it('leaves occupied points and choices to the server', () => {
    expect(predict(view('H8'), { type: 'place', x: 7, y: 7 })).toBeNull()
    expect(predict(view('H8'), { type: 'take_black' })).toBeNull()
  })
})
