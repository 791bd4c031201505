/** Crossword board module. */

import { t } from '../../lib/i18n.svelte'
import type { BoardModule } from '../types'
import Board from './Board.svelte'
import { CrosswordController } from './controller.svelte'
import Solved from './components/Solved.svelte'
import type { View } from './model'
import { remember } from './logic/puzzles'
import PuzzlePicker from './components/PuzzlePicker.svelte'
import Tools from './Tools.svelte'

const module: BoardModule<View, CrosswordController> = {
  controller(session) {
    session.onChange((before, now) => {
      const { puzzle, file } = now.settings
      if (before.state !== 'over' && now.state === 'over' && typeof puzzle === 'string' && file === undefined) remember(puzzle)
    })
    return new CrosswordController(session)
  },
  Board,
  Tools,
  Settings: PuzzlePicker,
  // Single letters are no useful move list, and screen readers would read each one.
  moves: 'none',
  next: true,
  Result: Solved,
  result: ({ table }) => (table.outcome ? t(`crossword.result.${table.outcome.reason}`) : null),
  entry: () => '',
  prompt: ({ table }) => t(table.view.full ? (table.view.checkable ? 'crossword.prompt.wrong' : 'crossword.prompt.full') : 'crossword.prompt'),
}

export default module
