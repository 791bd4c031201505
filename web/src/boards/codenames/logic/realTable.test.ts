import { describe, expect, it } from 'vitest'
import { boardOf, count, painted, playable, request, toggled } from './realTable'

const WORDS = Array.from({ length: 26 }, (_, n) => `word${String.fromCharCode(97 + n)}`)

describe('a real table', () => {
  it('takes the first 25 different words, typed or pasted', () => {
    const board = boardOf('en', `${WORDS.join('\n')}\n${WORDS[0]}`)
    expect(board.cards).toHaveLength(25)
    expect(boardOf('en', 'sea   moon,sun').cards.map(({ word }) => word)).toEqual(['sea', 'moon', 'sun'])
  })

  it('is painted, guessed and counted', () => {
    let board = painted(boardOf('en', 'sea, moon'), 0, 'own')
    expect([count(board, 'own'), playable(board)]).toEqual([1, true])
    expect(painted(board, 0, 'own').cards[0]!.side).toBeNull()
    board = toggled(board, 0)
    expect([count(board, 'own'), playable(board)]).toEqual([0, false])
  })

  it('sends the key only to spymasters; unpainted cards are bystanders', () => {
    const board = painted(boardOf('en', 'sea, moon'), 0, 'assassin')
    expect(request(board, true).words.map((word) => ('role' in word ? word.role : null))).toEqual(['assassin', 'bystander'])
    expect(request(board, false).words[0]).toEqual({ word: 'sea', revealed: false })
  })
})
