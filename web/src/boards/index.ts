/** The one list of boards: a line per game, in the order of the lobby. */

import { personSetting } from './codenames/memory'
import type { Strings } from '../lib/strings'
import type { BoardEntry } from './types'

const words = (file: { default: unknown }) => file.default as Strings

export const boards: Record<string, BoardEntry> = {
  gomoku: { board: () => import('./gomoku'), picture: () => import('./gomoku/Picture.svelte'), strings: async (lang) => words(await import(`./gomoku/i18n/${lang}.json`)) },
  scrabble: {
    board: () => import('./scrabble'),
    picture: () => import('./scrabble/Picture.svelte'),
    strings: async (lang) => words(await import(`./scrabble/i18n/${lang}.json`)),
    settingsFor: (language) => ({ language }),
  },
  codenames: {
    board: () => import('./codenames'),
    picture: () => import('./codenames/Picture.svelte'),
    strings: async (lang) => words(await import(`./codenames/i18n/${lang}.json`)),
    quick: (info) => (['bot', 'me', 'bot', 'bot'] as const).map((kind) => (kind === 'bot' ? { kind, level: info.default_level } : { kind })),
    settingsFor: (lang) => ({ lang, ...personSetting(lang) }),
  },
  crossword: {
    board: () => import('./crossword'),
    picture: () => import('./crossword/Picture.svelte'),
    strings: async (lang) => words(await import(`./crossword/i18n/${lang}.json`)),
    settingsFor: async (lang) => (await import('./crossword/open')).quickSettings(lang),
  },
  homeguard: { board: () => import('./homeguard'), picture: () => import('./homeguard/Picture.svelte'), strings: async (lang) => words(await import(`./homeguard/i18n/${lang}.json`)) },
}
