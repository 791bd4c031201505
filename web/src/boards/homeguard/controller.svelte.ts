/** What the Homeguard board and its tools share: orders being drafted, what is overlaid, and the player's taste. */

import { api } from '../../lib/api'
import { t } from '../../lib/i18n.svelte'
import { complain } from '../../lib/notices.svelte'
import { prefs } from '../../lib/prefs.svelte'
import { router } from '../../lib/router.svelte'
import type { Session } from '../../table/session.svelte'
import type { Controller } from '../types'
import { mine, name, orderTo, target, type Action, type MapJson, type Order, type Place, type View } from './model'

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

interface Profile {
  ratings: unknown[]
}

export interface Liking {
  feature: string
  words: string
  high: boolean
  relevance: number
  curve: { value: number; rating: number; deviation: number }[]
}

export interface Taste {
  ratings: number
  counts: number[]
  likes: Liking[]
}

interface Proposal {
  map: MapJson
  why: string
}

/** Where this browser keeps the ratings. */
const PROFILE = 'parlour.homeguard.profile'

function readProfile(): Profile {
  try {
    const stored = JSON.parse(localStorage.getItem(PROFILE) ?? 'null') as Profile | null
    return stored && Array.isArray(stored.ratings) ? stored : { ratings: [] }
  } catch {
    return { ratings: [] }
  }
}

export class HomeguardController implements Controller {
  readonly session: Session<View>
  draft = $state.raw<[Order | null, Order | null]>([null, null])
  active = $state<0 | 1>(0)
  cursor = $state.raw<Place>({ x: 0, y: 0 })
  aim = $state.raw<Aim | null>(null)
  threats = $state.raw<Threat[]>([])
  rated = $state<number | null>(null)
  profile = $state.raw<Profile>(readProfile())
  taste = $state.raw<Taste | null>(null)
  proposing = $state(false)
  why = $state<string | null>(null)
  #aimed = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(session: Session<View>) {
    this.session = session
    if (session.table.view) this.cursor = this.own[0]?.at ?? this.cursor
    this.why = sessionStorage.getItem(`${PROFILE}.why.${session.table.id}`)
    session.onChange((before, now) => {
      if (before.view?.round !== now.view?.round) {
        this.draft = [null, null]
        this.active = 0
        this.aim = null
        if (this.showThreats) void this.loadThreats()
      }
    })
    if (this.showThreats && session.table.view) void this.loadThreats()
  }

  get seat(): number {
    return this.session.mySeats[0] ?? 0
  }
  get own() {
    return mine(this.session.view, this.seat)
  }
  get pairs(): Action[] {
    return (this.session.table.legal ?? []).map(({ action }) => action as Action)
  }
  get ready(): boolean {
    return this.draft[0] !== null && this.draft[1] !== null
  }

  get showThreats(): boolean {
    return prefs.board('homeguard.threats', false)
  }
  set showThreats(on: boolean) {
    prefs.setBoard('homeguard.threats', on)
    if (on) void this.loadThreats()
  }

  async loadThreats(): Promise<void> {
    try {
      this.threats = (await this.session.service<{ cells: Threat[] }>('threats', { seat: this.seat })).cells
    } catch (error) {
      complain(error)
    }
  }

  /** Shows who could hit whom if I stood on a cell; asked a moment after the pointer rests. */
  look(at: Place | null): void {
    clearTimeout(this.#timer)
    if (!at || !this.session.helpful) {
      this.aim = null
      this.#aimed = ''
      return
    }
    const wanted = `${this.session.table.seq}.${at.x}.${at.y}`
    if (wanted === this.#aimed) return
    this.#timer = setTimeout(() => {
      this.#aimed = wanted
      this.session.service<Aim>('aim', { from: at, seat: this.seat }).then(
        (aim) => {
          if (this.#aimed === wanted) this.aim = aim
        },
        () => (this.aim = null),
      )
    }, 120)
  }

  /** Sends the active soldier to a cell, or makes the soldier on it the active one. */
  choose(at: Place): void {
    if (this.session.acting === null) return
    const { view } = this.session
    const soldier = this.own.findIndex((soldier) => soldier.at.x === at.x && soldier.at.y === at.y)
    if (soldier >= 0 && soldier !== this.active) {
      this.active = soldier as 0 | 1
      return
    }
    // The other soldier's order may give way: what was drafted for it is tried first.
    const order = orderTo(view, this.pairs, this.seat, this.active, this.draft, at) ?? orderTo(view, this.pairs, this.seat, this.active, [null, null], at)
    if (!order) {
      this.session.say(t('homeguard.not_there', { cell: name(at) }))
      return
    }
    this.order(order)
  }

  order(order: Order): void {
    const draft: [Order | null, Order | null] = [...this.draft]
    draft[this.active] = order
    const other = (1 - this.active) as 0 | 1
    if (draft[other] !== null && !this.pairs.some(({ orders }) => orders[0] === draft[0] && orders[1] === draft[1])) draft[other] = null
    this.draft = draft
    const to = target(this.session.view.map, this.own[this.active]!.at, order)
    this.session.say(t('homeguard.ordered', { n: this.active + 1, cell: to ? name(to) : '' }))
    if (draft[other] === null) this.active = other
  }

  clear(): void {
    this.draft = [null, null]
    this.active = 0
  }

  async commit(): Promise<void> {
    const [first, second] = this.draft
    if (first === null || second === null) return
    await this.session.act({ orders: [first, second] })
  }

  /** Lets the computer order the active soldier, or both. */
  async advise(both: boolean): Promise<void> {
    try {
      const settled = this.active === 0 ? { second: this.draft[1] } : { first: this.draft[0] }
      const request = both ? {} : Object.fromEntries(Object.entries(settled).filter(([, order]) => order !== null))
      const { orders } = await this.session.service<{ orders: [Order, Order] }>('advise', request)
      if (both) this.draft = orders
      else this.order(orders[this.active])
    } catch (error) {
      complain(error)
    }
  }

  async hint(): Promise<void> {
    await this.advise(true)
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === 'F1' && this.session.acting !== null) this.order('stay')
    else if (event.key === 'F3' && this.session.acting !== null) void this.advise(false)
    else return false
    return true
  }

  #keep(profile: Profile): void {
    this.profile = profile
    localStorage.setItem(PROFILE, JSON.stringify(profile))
  }

  async rate(rating: number): Promise<void> {
    try {
      const { profile } = await api.gameService<{ profile: Profile }>('homeguard', 'rate', { profile: this.profile, map: this.session.table.view.map, rating })
      this.#keep(profile)
      this.rated = rating
      this.session.say(t('homeguard.rated'))
      if (this.taste) await this.loadTaste()
    } catch (error) {
      complain(error)
    }
  }

  async loadTaste(): Promise<void> {
    try {
      this.taste = await api.gameService<Taste>('homeguard', 'taste', { profile: this.profile })
    } catch (error) {
      complain(error)
    }
  }

  forget(): void {
    this.#keep({ ratings: [] })
    this.taste = null
    this.rated = null
  }

  /** A fresh table on a map that should suit this player. */
  async next(): Promise<void> {
    this.proposing = true
    try {
      const use = { explore: prefs.board('homeguard.explore', false), prepared_only: prefs.board('homeguard.prepared', false), use_shared: prefs.board('homeguard.shared', false) }
      const { maps } = await api.gameService<{ maps: Proposal[] }>('homeguard', 'propose', { profile: this.profile, count: 1, ...use })
      const { table } = this.session
      const seats = table.seats.map((seat) => (seat.kind === 'bot' ? { kind: 'bot' as const, level: seat.level ?? undefined } : seat.me ? { kind: 'me' as const } : { kind: 'open' as const }))
      const made = await api.newTable({ game: 'homeguard', settings: { ...table.settings, map: maps[0]!.map }, seats })
      sessionStorage.setItem(`${PROFILE}.why.${made.table.id}`, maps[0]!.why)
      router.go(`/t/${made.table.id}`)
    } catch (error) {
      complain(error)
    } finally {
      this.proposing = false
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
