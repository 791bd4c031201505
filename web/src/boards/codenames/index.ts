/** Codenames board module. */

import { t } from '../../lib/i18n.svelte'
import type { BoardModule } from '../types'
import Board from './Board.svelte'
import { CodenamesController } from './controller.svelte'
import { guessedRole, seatRoles, type View } from './model'
import WordListEditor from './components/WordListEditor.svelte'
import Tools from './Tools.svelte'

const module: BoardModule<View, CodenamesController> = {
  controller: (session) => new CodenamesController(session),
  Board,
  Tools,
  entry: ({ text, ply }, session) => {
    const [verb, ...rest] = text.split(' ')
    if (verb === 'clue') return rest.join(' ').split(' = ')[0]!.replace(/ inf$/, ' ∞')
    if (verb === 'guess') {
      const role = guessedRole(session.table.view, ply, session.table.history)
      return `→ ${rest.join(' ')}${role ? ` (${t(`codenames.role.one.${role}`)})` : ''}`
    }
    return text === 'stop' ? t('codenames.stopped') : text
  },
  // A clue takes longest; a guess leaves time to see the card turn.
  beat: ({ text }) => (text.startsWith('clue') ? 2200 : text.startsWith('guess') ? 1500 : 900),
  moves: 'none',
  seatsOnBoard: true,
  result: ({ table, mySeats }) => {
    if (!table.outcome || mySeats.length === 1) return null
    const winner = table.seats[table.outcome.results.indexOf('won')]?.name_id.split('_')[0]
    const reason = t(`codenames.reason.${table.outcome.reason}`)
    return winner === 'red' || winner === 'blue' ? `${t(`codenames.won.${winner}`)}. ${reason}` : reason
  },
  // A revealed card cannot be forgotten: undo is offered only while nothing was revealed since.
  canUndo: ({ table, mySeats }) => {
    const since = table.history.findLastIndex(({ seat }) => mySeats.includes(seat))
    return since >= 0 && !table.history.slice(since).some(({ text }) => text.startsWith('guess '))
  },
  prompt: ({ view }) => t(`codenames.prompt.${view.phase}`),
  settings: [
    { field: 'mode', choices: ['classic', 'duet'] },
    { field: 'lang', choices: ['en', 'cs', 'pl', 'sk'] },
    { field: 'strictness', choices: ['relaxed', 'standard', 'strict'] },
    { field: 'operatives', choices: [1, 2, 3] },
    { field: 'show_meant', choices: [false, true] },
    { field: 'turns', hidden: true },
    { field: 'words', editor: WordListEditor },
  ],
  seatRoles: (settings) => seatRoles(settings.mode, settings.operatives),
}

export default module
