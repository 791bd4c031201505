/** The house's themed lists: about fifty words each in every language the game is played in. */

import type { WordLists } from '../wordLists'

export const THEMES = ['nature', 'home', 'travel'] as const

const FILES: Record<string, () => Promise<{ default: WordLists }>> = {
  en: () => import('./en.json'),
  cs: () => import('./cs.json'),
  pl: () => import('./pl.json'),
  sk: () => import('./sk.json'),
}

/** The themes in a language; English ones where it has none. */
export async function readThemes(lang: unknown): Promise<WordLists> {
  const file = FILES[String(lang)] ?? FILES.en!
  return (await file()).default
}
