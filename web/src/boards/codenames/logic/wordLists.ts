/** The user's own word lists, kept in this browser. */

const KEY = 'parlour.codenames.packs'

export type WordLists = Record<string, string[]>

export function readWordLists(): WordLists {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as unknown
    if (typeof stored !== 'object' || stored === null) return {}
    const sound = Object.entries(stored).filter(([, words]) => Array.isArray(words) && words.every((word) => typeof word === 'string'))
    return Object.fromEntries(sound) as WordLists
  } catch {
    return {}
  }
}

export function writeWordLists(lists: WordLists): void {
  localStorage.setItem(KEY, JSON.stringify(lists))
}
