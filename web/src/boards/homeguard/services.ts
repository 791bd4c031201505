/** Types of the answers of the Homeguard services. */

import type { MapJson, Place } from './model'

export interface Threat {
  at: Place
  worst: number
  by: [number, number]
}

export interface AimLine {
  soldier: number
  from: Place
  to: Place
  damage: number
  in_range: boolean
  passes: Place[]
  covers: { at: Place; cover: 'rock' | 'tree'; counts: boolean }[]
  chosen: boolean
}

export interface Aim {
  outgoing: AimLine[]
  incoming: AimLine[]
}

export interface RatedMap {
  map: MapJson
  rating: number
  /** Whether somebody else gave the rating. */
  shared?: boolean
}

export interface Profile {
  version?: number
  ratings: RatedMap[]
}

export interface FeaturePreference {
  feature: string
  high: boolean
  relevance: number
  curve: { value: number; rating: number; deviation: number }[]
}

export interface Summary {
  ratings: number
  /** Number of ratings of each value from −2 to 2. */
  counts: number[]
  likes: FeaturePreference[]
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

export interface GalleryMap {
  map: MapJson
  /** 0 low to 2 high, on each axis. */
  steps: number[]
  predicted: number
}
