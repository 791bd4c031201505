/** Homeguard board module. */

import { t } from '../../lib/i18n.svelte'
import type { BoardModule } from '../types'
import Board from './Board.svelte'
import { HomeguardController } from './controller.svelte'
import { afterRounds, type View } from './model'
import Tools from './Tools.svelte'

const module: BoardModule<View, HomeguardController> = {
  controller: (session) => new HomeguardController(session),
  Board,
  Tools,
  // Both sides act once per round: `ply` actions finish `ply / 2` rounds.
  viewAt: (view, ply) => afterRounds(view, Math.floor(ply / 2)),
  // A round is complete with the second side's orders; its replay needs time only if shots were fired.
  beat: ({ ply }, view) => (ply % 2 ? 0 : view.rounds[ply / 2 - 2]?.shots.length ? 2000 : 900),
  // An action names both orders in internal codes; the round's log tells it in words.
  entry: ({ seat, ply }, { table }) => {
    const round = table.view.rounds[Math.ceil(ply / 2) - 1]
    if (!round) return t('homeguard.entry.ordered')
    return round.moves
      .filter(({ soldier }) => Math.floor(soldier / 2) === seat)
      .map(({ soldier, order }) => t('homeguard.ordered', { n: (soldier % 2) + 1, order: t(`homeguard.order.${order}`) }))
      .join(' ')
  },
  moves: 'wide',
  next: true,
  prompt: ({ view, mySeats }) => t(view.committed[(mySeats[0] ?? 0) as 0 | 1] ? 'homeguard.prompt.wait' : 'homeguard.prompt'),
  settings: [
    { field: 'size', choices: [11, 7, 9, 13, 15] },
    { field: 'rules', choices: ['sudden_death', 'control', 'thesis'] },
    { field: 'sudden_death', hidden: true },
    { field: 'map', hidden: true },
  ],
}

export default module
