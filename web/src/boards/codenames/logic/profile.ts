/** Opt-in player profiles for Codenames, kept in this browser. */

const KEY = 'parlour.codenames.profile'
/** Maximum number of turns kept per language. */
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
  /** Whether the player opted in. */
  on: boolean
  /** By language: recorded turns and the model learned from them. */
  langs: Record<string, { turns: GuessedTurn[]; person: PlayerModel | null }>
}

export function readProfiles(): PlayerProfiles {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as PlayerProfiles | null
    if (stored && typeof stored.on === 'boolean' && typeof stored.langs === 'object') return stored
  } catch {
    // Damaged data: start with an empty profile.
  }
  return { on: false, langs: {} }
}

export function writeProfiles(profiles: PlayerProfiles): void {
  localStorage.setItem(KEY, JSON.stringify(profiles))
}

/** The profiles with more turns of one language. */
export function withTurns(profiles: PlayerProfiles, lang: string, turns: GuessedTurn[]): PlayerProfiles {
  const old = profiles.langs[lang] ?? { turns: [], person: null }
  return { ...profiles, langs: { ...profiles.langs, [lang]: { ...old, turns: [...old.turns, ...turns].slice(-MAX_TURNS) } } }
}

/** Setting of a new table: the player's model for this language, if there is one. */
export function playerModelSetting(lang: string): { person?: PlayerModel } {
  const profiles = readProfiles()
  const person = profiles.on ? profiles.langs[lang]?.person : null
  return person ? { person } : {}
}
