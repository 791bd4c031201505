/** The person's own word packs, kept in this browser. */

const KEY = 'parlour.codenames.packs'

export type Packs = Record<string, string[]>

export function readPacks(): Packs {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as unknown
    if (typeof stored !== 'object' || stored === null) return {}
    const sound = Object.entries(stored).filter(([, words]) => Array.isArray(words) && words.every((word) => typeof word === 'string'))
    return Object.fromEntries(sound) as Packs
  } catch {
    return {}
  }
}

export function writePacks(packs: Packs): void {
  localStorage.setItem(KEY, JSON.stringify(packs))
}
