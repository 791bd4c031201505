/** What this browser remembers of how its person thinks at Codenames, if the person wants it. */

const KEY = 'parlour.codenames.memory'
/** The most turns kept per language. */
const MOST = 200

export interface Taken {
  clue: string
  board: string[]
  taken: string[]
}

export interface Person {
  leanings: Record<string, number>
  pairs: [string, string][]
  turns: number
}

export interface Memory {
  /** Whether the person wants to be remembered. */
  on: boolean
  /** By language: turns, and what was learned from them. */
  langs: Record<string, { turns: Taken[]; person: Person | null }>
}

export function readMemory(): Memory {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Memory | null
    if (stored && typeof stored.on === 'boolean' && typeof stored.langs === 'object') return stored
  } catch {
    // Damaged: as if nothing were remembered.
  }
  return { on: false, langs: {} }
}

export function writeMemory(memory: Memory): void {
  localStorage.setItem(KEY, JSON.stringify(memory))
}

/** The memory with further turns of a language. */
export function withTurns(memory: Memory, lang: string, turns: Taken[]): Memory {
  const old = memory.langs[lang] ?? { turns: [], person: null }
  return { ...memory, langs: { ...memory.langs, [lang]: { ...old, turns: [...old.turns, ...turns].slice(-MOST) } } }
}

/** The setting of a new table: what was learned of the person in this language, or nothing. */
export function personSetting(lang: string): { person?: Person } {
  const memory = readMemory()
  const person = memory.on ? memory.langs[lang]?.person : null
  return person ? { person } : {}
}
