/** The one list of boards: a line per game, in the order of the lobby. */

import type { Strings } from '../lib/strings'
import type { BoardEntry } from './types'

const words = (file: { default: unknown }) => file.default as Strings

export const boards: Record<string, BoardEntry> = {
  gomoku: { board: () => import('./gomoku'), picture: () => import('./gomoku/Picture.svelte'), strings: async (lang) => words(await import(`./gomoku/i18n/${lang}.json`)) },
}
