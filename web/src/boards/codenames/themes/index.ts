/** The house's themed packs: about fifty words each in every language the game is played in. */

import type { Packs } from '../packs'

export const THEMES = ['nature', 'home', 'travel'] as const

const FILES: Record<string, () => Promise<{ default: Packs }>> = {
  en: () => import('./en.json'),
  cs: () => import('./cs.json'),
  pl: () => import('./pl.json'),
  sk: () => import('./sk.json'),
}

/** The themes in a language; English ones where it has none. */
export async function readThemes(lang: unknown): Promise<Packs> {
  const file = FILES[String(lang)] ?? FILES.en!
  return (await file()).default
}
