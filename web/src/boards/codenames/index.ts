/** Codenames on the page. */

import { t } from '../../lib/i18n.svelte'
import type { BoardModule } from '../types'
import Board from './Board.svelte'
import { CodenamesController } from './controller.svelte'
import { seatRoles, type View } from './model'
import WordListEditor from './components/WordListEditor.svelte'
import Tools from './Tools.svelte'

const module: BoardModule<View, CodenamesController> = {
  controller: (session) => new CodenamesController(session),
  Board,
  Tools,
  entry: ({ text }) => {
    const [verb, ...rest] = text.split(' ')
    if (verb === 'clue') return rest.join(' ').split(' = ')[0]!.replace(/ inf$/, ' ∞')
    if (verb === 'guess') return `→ ${rest.join(' ')}`
    return text === 'stop' ? t('codenames.stopped') : text
  },
  moves: 'wide',
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
