/** The player's map ratings, kept in this browser, and the preference model the server fits to them. */

import { api } from '../../../lib/api'
import { i18n, t } from '../../../lib/i18n.svelte'
import { prefs } from '../../../lib/prefs.svelte'
import { downloadFile } from '../../../lib/download'
import type { MapJson } from '../model'
import type { GalleryMap, Profile, Proposal, RatedMap, Reason, Summary } from '../services'

/** Options for map proposals. */
export const SWITCHES = ['shared', 'prepared', 'explore'] as const
export type Switch = (typeof SWITCHES)[number]

const KEY = 'parlour.homeguard.profile'

/** Parses a profile; null if it is invalid. */
export function readProfile(text: string | null): Profile | null {
  try {
    const found = JSON.parse(text ?? 'null') as Profile | null
    const fine = (rated: RatedMap) => Array.isArray(rated?.map?.rows) && [-2, -1, 0, 1, 2].includes(rated.rating)
    return found && Array.isArray(found.ratings) && found.ratings.every(fine) ? found : null
  } catch {
    return null
  }
}

/** Merges other ratings: as own ones into an empty profile, else as shared ones. Own ratings win. */
export function joined(own: Profile, other: Profile): Profile {
  if (own.ratings.length === 0) return other
  const rows = (rated: RatedMap) => rated.map.rows.join('\n')
  const known = new Set(own.ratings.map(rows))
  const added = other.ratings.filter((rated) => !known.has(rows(rated))).map((rated) => ({ ...rated, shared: true }))
  return { ...own, ratings: [...own.ratings, ...added] }
}

/** A feature as text, such as *many rocks*. */
export const featureWords = (feature: string, high: boolean): string => t(`homeguard.feature.${feature}.${high ? 'high' : 'low'}`)

/** Why a map was proposed, as translated text. */
export function reasonText({ kind, reasons }: Pick<Proposal, 'kind' | 'reasons'>): string {
  if (kind !== 'liked') return t(kind === 'surprise' ? 'homeguard.why.surprise' : 'homeguard.why.getting_to_know')
  const list = (some: Reason[]) => new Intl.ListFormat(i18n.lang).format(some.map(({ feature, high }) => featureWords(feature, high)))
  const [good, bad] = [reasons.filter(({ effect }) => effect > 0), reasons.filter(({ effect }) => effect <= 0)]
  const sentences = [good.length > 0 ? t('homeguard.why.liked', { list: list(good) }) : '', bad.length > 0 ? t('homeguard.why.spite', { list: list(bad) }) : '']
  return sentences.filter(Boolean).join(' ') || t('homeguard.why.close')
}

class PreferenceStore {
  profile = $state.raw<Profile>({ ratings: [] })
  summary = $state.raw<Summary | null>(null)

  constructor() {
    try {
      this.profile = readProfile(localStorage.getItem(KEY)) ?? { ratings: [] }
    } catch {
      // Storage is not available: ratings last until the page closes.
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

  async gallery(count: number): Promise<{ axes: string[]; maps: GalleryMap[] }> {
    return await api.gameService('homeguard', 'gallery', { profile: this.profile, count })
  }

  forget(): void {
    this.#keep({ ratings: [] })
  }

  export(): void {
    downloadFile(new Blob([JSON.stringify(this.profile, null, 1)], { type: 'application/json' }), 'homeguard-taste.json')
  }

  /** Imports a profile from a file; false if there is none. */
  async import(file: File): Promise<boolean> {
    const other = readProfile(await file.text())
    if (!other) return false
    const next = joined(this.profile, other)
    // The server validates the maps.
    await api.gameService<Summary>('homeguard', 'taste', { profile: next })
    this.#keep(next)
    return true
  }
}

export const preferenceStore = new PreferenceStore()
