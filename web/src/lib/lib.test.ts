import { describe, expect, it } from 'vitest'
import { refusal } from './api'
import { fromThoughts, linePath, pointAt, plyAt } from './curve'
import { firstLanguage } from './i18n.svelte'
import { parse } from './router.svelte'
import { fieldsOf } from './schema'

describe('routes', () => {
  it('parses known paths only', () => {
    expect(parse('/')).toEqual({ page: 'lobby' })
    expect(parse('/g/gomoku')).toEqual({ page: 'setup', game: 'gomoku' })
    expect(parse('/t/a%20b/')).toEqual({ page: 'table', id: 'a b' })
    for (const path of ['/x', '/t/', '/t/a/b', '/t/%E0%A4%A']) expect(parse(path), path).toEqual({ page: 'notFound' })
  })
})

describe('language', () => {
  it("prefers the stored language, then the browser's, then English", () => {
    expect(firstLanguage('pl', ['cs-CZ'])).toBe('pl')
    expect(firstLanguage(null, ['de', 'sk-SK', 'cs'])).toBe('sk')
    expect(firstLanguage('xx', ['de'])).toBe('en')
  })
})

describe('errors', () => {
  it('carry code, message and retry time', async () => {
    const answer = new Response('{"error":{"code":"server.busy","message":"Busy."}}', { status: 503, headers: { 'retry-after': '2' } })
    expect(await refusal(answer)).toMatchObject({ status: 503, code: 'server.busy', message: 'Busy.', retryAfter: 2 })
  })

  it("are parsed also from a proxy's answer", async () => {
    expect(await refusal(new Response('<html>', { status: 502 }))).toMatchObject({ status: 502, code: 'http.502', retryAfter: null })
  })
})

describe('settings form', () => {
  const schema = {
    type: 'object',
    properties: {
      size: { type: 'integer', minimum: 5, maximum: 22 },
      rule: { $ref: '#/$defs/Rule' },
      opening: {
        oneOf: [
          { type: 'string', enum: ['free'] },
          { type: 'string', enum: ['swap2'] },
        ],
      },
      side: { oneOf: [{ type: 'null' }, { $ref: '#/$defs/Rule' }] },
      open: { type: 'boolean' },
      secret: { type: 'string' },
      list: { type: 'array' },
    },
    $defs: { Rule: { type: 'string', enum: ['freestyle', 'renju'] } },
  }

  it('follows the schema through references and documented variants', () => {
    expect(fieldsOf(schema, {}, [{ field: 'secret', hidden: true }])).toEqual([
      { field: 'size', kind: 'number', min: 5, max: 22 },
      { field: 'rule', kind: 'choice', choices: ['freestyle', 'renju'] },
      { field: 'opening', kind: 'choice', choices: ['free', 'swap2'] },
      { field: 'side', kind: 'choice', choices: ['freestyle', 'renju'] },
      { field: 'open', kind: 'flag' },
    ])
  })

  it("takes a game's own choices without a schema", () => {
    expect(fieldsOf({}, { size: 15 }, [{ field: 'size', choices: [15, 19] }])).toEqual([{ field: 'size', kind: 'choice', choices: [15, 19] }])
  })
})

describe('curve', () => {
  const box = { width: 120, height: 60, pad: 10 }

  it('draws a certain win at the top and the last move at the right', () => {
    expect(pointAt({ ply: 0, p: 1 }, 10, box)).toEqual({ x: 10, y: 10 })
    expect(pointAt({ ply: 10, p: 0 }, 10, box)).toEqual({ x: 110, y: 50 })
    expect(
      linePath(
        [
          { ply: 0, p: 0.5 },
          { ply: 10, p: 2 },
        ],
        10,
        box,
      ),
    ).toBe('M10.0 30.0L110.0 10.0')
  })

  it('finds the move under the pointer', () => {
    expect([0, 10, 61, 500].map((x) => plyAt(x, 10, box))).toEqual([0, 0, 5, 10])
  })

  it("inverts the opponent's win probabilities", () => {
    const thoughts = [
      { ply: 2, seat: 1, win_probability: 0.75 },
      { ply: 1, seat: 0, win_probability: 0.5 },
      { ply: 3, seat: 0 },
    ]
    expect(fromThoughts(thoughts, 0, [null, null])).toEqual([
      { ply: 1, p: 0.5 },
      { ply: 2, p: 0.25 },
    ])
  })
})
