/** Registry of boards: one entry per game, in lobby order. */

import { playerModelSetting } from './codenames/logic/profile'
import type { Strings } from '../lib/strings'
import type { BoardEntry } from './types'

const asStrings = (file: { default: unknown }) => file.default as Strings

export const boards: Record<string, BoardEntry> = {
  gomoku: {
    characters: ['beginner', 'casual', 'club', 'expert', 'full'],
    board: () => import('./gomoku'),
    picture: () => import('./gomoku/Picture.svelte'),
    strings: async (lang) => asStrings(await import(`./gomoku/i18n/${lang}.json`)),
    files: { extensions: ['psq', 'sgf', 'rec'], open: async (file) => (await import('./gomoku/logic/records')).openRecord(await file.text()) },
  },
  scrabble: {
    characters: ['beginner', 'casual', 'club', 'expert', 'master'],
    board: () => import('./scrabble'),
    picture: () => import('./scrabble/Picture.svelte'),
    strings: async (lang) => asStrings(await import(`./scrabble/i18n/${lang}.json`)),
    files: { extensions: ['gcg'], open: async (file, lang) => (await import('./scrabble/logic/files')).openOnTable(file, lang) },
    defaultSettings: (language) => ({ language }),
  },
  codenames: {
    characters: ['novice', 'casual', 'friend', 'strong', 'daring'],
    board: () => import('./codenames'),
    picture: () => import('./codenames/Picture.svelte'),
    strings: async (lang) => asStrings(await import(`./codenames/i18n/${lang}.json`)),
    quickSeats: (info) => (['bot', 'me', 'bot', 'bot'] as const).map((kind) => (kind === 'bot' ? { kind, level: info.default_level } : { kind })),
    defaultSettings: (lang) => ({ lang, ...playerModelSetting(lang) }),
  },
  crossword: {
    characters: ['onlooker', 'beginner', 'companion', 'quick', 'expert'],
    board: () => import('./crossword'),
    picture: () => import('./crossword/Picture.svelte'),
    strings: async (lang) => asStrings(await import(`./crossword/i18n/${lang}.json`)),
    files: { extensions: ['puz', 'ipuz', 'jpz', 'xd', 'exolve', 'crossword', 'json', 'xml', 'html'], open: async (file, lang) => (await import('./crossword/logic/puzzles')).openFile(file, lang) },
    defaultSettings: async (lang) => (await import('./crossword/logic/puzzles')).quickSettings(lang),
  },
  homeguard: {
    characters: ['recruit', 'private', 'maximin', 'captain', 'hard'],
    board: () => import('./homeguard'),
    picture: () => import('./homeguard/Picture.svelte'),
    strings: async (lang) => asStrings(await import(`./homeguard/i18n/${lang}.json`)),
  },
}
