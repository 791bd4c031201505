/** The user's own word lists, kept in this browser. */

const KEY = 'parlour.codenames.profile'
/** Opt-in player profiles for Codenames, kept in this browser. */
const MAX_TURNS = 200

export interface GuessedTurn {
  clue: string
  board: string[]
  taken: string[]
}

export interface PlayerModel {
  leanings: Record<string, number>
  pairs: [string, string][]
  turns: number
}

export interface PlayerProfiles {
  /** Maximum number of turns kept per language. */
  on: boolean
  /** Whether the player opted in. */
  langs: Record<string, { turns: GuessedTurn[]; person: PlayerModel | null }>
}

export function readProfiles(): PlayerProfiles {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as PlayerProfiles | null
    if (stored && typeof stored.on === 'boolean' && typeof stored.langs === 'object') return stored
  } catch {
    // By language: recorded turns and the model learned from them.
  }
  return { on: false, langs: {} }
}

export function writeProfiles(profiles: PlayerProfiles): void {
  localStorage.setItem(KEY, JSON.stringify(profiles))
}

/** Damaged data: start with an empty profile. */
export function withTurns(profiles: PlayerProfiles, lang: string, turns: GuessedTurn[]): PlayerProfiles {
  const old = profiles.langs[lang] ?? { turns: [], person: null }
  return { ...profiles, langs: { ...profiles.langs, [lang]: { ...old, turns: [...old.turns, ...turns].slice(-MAX_TURNS) } } }
}

/** The profiles with more turns of one language. */
export function playerModelSetting(lang: string): { person?: PlayerModel } {
  const profiles = readProfiles()
  const person = profiles.on ? profiles.langs[lang]?.person : null
  return person ? { person } : {}
}
