/** Gomoku board module. */

import { t } from '../../lib/i18n.svelte'
import type { BoardModule } from '../types'
import Board from './Board.svelte'
import { GomokuController } from './controller.svelte'
import { colorOf, predict, viewAt, type Action, type View } from './model'
import Tools from './Tools.svelte'

/** Move-list keys of the swap2 choices. */
const CHOICES: Record<string, string> = { 'take-black': 'black', 'take-white': 'white', 'add-two': 'add' }

const controllers = new WeakMap<object, GomokuController>()

const module: BoardModule<View, GomokuController> = {
  controller(session) {
    const made = new GomokuController(session)
    controllers.set(session, made)
    return made
  },
  Board,
  Tools,
  viewAt,
  beat: () => 450,
  predict: (table, action) => predict(table.view, action as Action),
  entry: ({ text }) => (CHOICES[text] ? t(`gomoku.entry.${CHOICES[text]}`) : text),
  prompt: ({ table, view }) => {
    if (view.phase !== 'play') return t(`gomoku.prompt.${view.phase}`, { n: (view.phase === 'three_stones' ? 3 : 5) - table.view.stones.length })
    return t(`gomoku.prompt.${view.to_move}`)
  },
  seatName: ({ table }, seat) => colorOf(table.view, seat),
  review: (session, progress) => controllers.get(session)!.review(progress),
  settings: [
    { field: 'size', choices: [15, 19, 20, 13, 11, 9] },
    { field: 'rule', choices: ['freestyle', 'standard', 'renju', 'caro', 'caro-exact'] },
    { field: 'opening', choices: ['free', 'swap2'] },
    { field: 'stones', hidden: true },
    { field: 'to_move', hidden: true },
  ],
}

export default module
