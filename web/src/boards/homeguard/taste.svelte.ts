/** This player's ratings, kept in this browser, and what the server makes of them. */

import { api } from '../../lib/api'
import { i18n, t } from '../../lib/i18n.svelte'
import { prefs } from '../../lib/prefs.svelte'
import { save } from '../../lib/save'
import type { MapJson } from './model'

export interface RatedMap {
  map: MapJson
  rating: number
  /** Somebody else's rating. */
  shared?: boolean
}

export interface Profile {
  version?: number
  ratings: RatedMap[]
}

export interface Liking {
  feature: string
  high: boolean
  relevance: number
  curve: { value: number; rating: number; deviation: number }[]
}

export interface Summary {
  ratings: number
  /** How often each rating from −2 to 2 was given. */
  counts: number[]
  likes: Liking[]
}

export interface Reason {
  feature: string
  high: boolean
  effect: number
}

export interface Proposal {
  map: MapJson
  predicted: number
  uncertainty: number
  kind: 'liked' | 'getting_to_know' | 'surprise'
  reasons: Reason[]
}

export interface Exhibit {
  map: MapJson
  /** 0 low to 2 high on each axis. */
  steps: number[]
  predicted: number
}

/** What a player may switch about proposals. */
export const SWITCHES = ['shared', 'prepared', 'explore'] as const
export type Switch = (typeof SWITCHES)[number]

const KEY = 'parlour.homeguard.profile'

/** A profile from a file or from storage; null if it is none. */
export function readProfile(text: string | null): Profile | null {
  try {
    const found = JSON.parse(text ?? 'null') as Profile | null
    const fine = (rated: RatedMap) => Array.isArray(rated?.map?.rows) && [-2, -1, 0, 1, 2].includes(rated.rating)
    return found && Array.isArray(found.ratings) && found.ratings.every(fine) ? found : null
  } catch {
    return null
  }
}

/** Joins somebody else's ratings: into an empty profile as one's own, otherwise as shared ones; own ratings win. */
export function joined(own: Profile, other: Profile): Profile {
  if (own.ratings.length === 0) return other
  const rows = (rated: RatedMap) => rated.map.rows.join('\n')
  const known = new Set(own.ratings.map(rows))
  const added = other.ratings.filter((rated) => !known.has(rows(rated))).map((rated) => ({ ...rated, shared: true }))
  return { ...own, ratings: [...own.ratings, ...added] }
}

/** A feature in words, such as *many rocks*. */
export const featureWords = (feature: string, high: boolean): string => t(`homeguard.feature.${feature}.${high ? 'high' : 'low'}`)

/** Why a map was proposed, in the reader's words. */
export function reasonText({ kind, reasons }: Pick<Proposal, 'kind' | 'reasons'>): string {
  if (kind !== 'liked') return t(kind === 'surprise' ? 'homeguard.why.surprise' : 'homeguard.why.getting_to_know')
  const list = (some: Reason[]) => new Intl.ListFormat(i18n.lang).format(some.map(({ feature, high }) => featureWords(feature, high)))
  const [good, bad] = [reasons.filter(({ effect }) => effect > 0), reasons.filter(({ effect }) => effect <= 0)]
  const sentences = [good.length > 0 ? t('homeguard.why.liked', { list: list(good) }) : '', bad.length > 0 ? t('homeguard.why.spite', { list: list(bad) }) : '']
  return sentences.filter(Boolean).join(' ') || t('homeguard.why.close')
}

class Taste {
  profile = $state.raw<Profile>({ ratings: [] })
  summary = $state.raw<Summary | null>(null)

  constructor() {
    try {
      this.profile = readProfile(localStorage.getItem(KEY)) ?? { ratings: [] }
    } catch {
      // No storage: ratings last until the page closes.
    }
  }

  on(name: Switch): boolean {
    return prefs.board(`homeguard.${name}`, false)
  }
  set(name: Switch, on: boolean): void {
    prefs.setBoard(`homeguard.${name}`, on)
  }

  #keep(profile: Profile): void {
    this.profile = profile
    this.summary = null
    try {
      localStorage.setItem(KEY, JSON.stringify(profile))
    } catch {
      // See the constructor.
    }
  }

  async rate(map: MapJson, rating: number): Promise<void> {
    const { profile } = await api.gameService<{ profile: Profile }>('homeguard', 'rate', { profile: this.profile, map, rating })
    this.#keep(profile)
  }

  async summarise(): Promise<void> {
    this.summary = await api.gameService<Summary>('homeguard', 'taste', { profile: this.profile })
  }

  async propose(count: number): Promise<Proposal[]> {
    const use = { explore: this.on('explore'), prepared_only: this.on('prepared'), use_shared: this.on('shared') }
    return (await api.gameService<{ maps: Proposal[] }>('homeguard', 'propose', { profile: this.profile, count, ...use })).maps
  }

  async gallery(count: number): Promise<{ axes: string[]; maps: Exhibit[] }> {
    return await api.gameService('homeguard', 'gallery', { profile: this.profile, count })
  }

  forget(): void {
    this.#keep({ ratings: [] })
  }

  export(): void {
    save(new Blob([JSON.stringify(this.profile, null, 1)], { type: 'application/json' }), 'homeguard-taste.json')
  }

  /** Joins the profile in a file; false if there is none in it. */
  async import(file: File): Promise<boolean> {
    const other = readProfile(await file.text())
    if (!other) return false
    const next = joined(this.profile, other)
    // The server has the last word on whether these are maps.
    await api.gameService<Summary>('homeguard', 'taste', { profile: next })
    this.#keep(next)
    return true
  }
}

export const taste = new Taste()
