/** Scrabble board module. */

import { t } from '../../lib/i18n.svelte'
import type { BoardModule } from '../types'
import Board from './Board.svelte'
import { ScrabbleController } from './controller.svelte'
import type { HistoryTurn, View } from './model'
import Tools from './Tools.svelte'

const controllers = new WeakMap<object, ScrabbleController>()

/** A turn as a translated line. */
function turnText(turn: HistoryTurn): string {
  const taken = turn.undone ? ` (${t('scrabble.entry.undone')})` : ''
  switch (turn.kind) {
    case 'play':
      return `${turn.at} ${turn.words[0] ?? turn.word} +${turn.score}${taken}`
    case 'exchange':
      return turn.exchanged_tiles ? t('scrabble.entry.exchange.tiles', { tiles: turn.exchanged_tiles }) : t('scrabble.entry.exchange', { n: turn.exchanged })
    case 'challenge':
      return t(turn.right ? 'scrabble.entry.challenge.right' : 'scrabble.entry.challenge.wrong')
    default:
      return t(`scrabble.entry.${turn.kind}`)
  }
}

const module: BoardModule<View, ScrabbleController> = {
  controller(session) {
    const made = new ScrabbleController(session)
    controllers.set(session, made)
    return made
  },
  Board,
  Tools,
  entry: ({ ply, text }, { table }) => {
    const turn = table.view.history[ply - 1]
    return turn ? turnText(turn) : text
  },
  beat: () => 1100,
  moves: 'wide',
  prompt: ({ table }) => t(table.view.last_call ? 'scrabble.prompt.last_call' : table.view.can_challenge ? 'scrabble.prompt.challenge' : 'turn.mine'),
  seatScore: ({ view }, seat) => view.scores[seat] ?? 0,
  review: (session, progress) => controllers.get(session)!.review(progress),
  settings: [
    { field: 'language', choices: ['en', 'cs', 'pl', 'sk', 'en-light', 'cs-light', 'pl-light', 'sk-light'] },
    { field: 'board', choices: ['standard', 'super'] },
    { field: 'challenge', choices: ['void', 'single', 'double'] },
    { field: 'exchange_needs', hidden: true },
    { field: 'pass_rounds', hidden: true },
  ],
}

export default module
