/** What the Homeguard board and its tools share: orders being drafted, what is overlaid, and which map comes next. */

import { api } from '../../lib/api'
import { t } from '../../lib/i18n.svelte'
import { complain } from '../../lib/notices.svelte'
import { prefs } from '../../lib/prefs.svelte'
import { router } from '../../lib/router.svelte'
import type { Session } from '../../table/session.svelte'
import type { Controller } from '../types'
import { afterRounds, mine, name, orderTo, target, type Action, type MapJson, type Order, type Place, type View } from './model'
import { Replay } from './replay.svelte'
import { reasonText, taste, type Proposal } from './taste.svelte'

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

/** Why a table's map was proposed, kept until the page closes. */
type Why = Pick<Proposal, 'kind' | 'reasons'>
const WHY = 'parlour.homeguard.why'

/** How long the watcher sees the orders of the computer before they are given. */
const WATCH_MS = 700

export class HomeguardController implements Controller {
  readonly session: Session<View>
  draft = $state.raw<[Order | null, Order | null]>([null, null])
  active = $state<0 | 1>(0)
  cursor = $state.raw<Place>({ x: 0, y: 0 })
  aim = $state.raw<Aim | null>(null)
  threats = $state.raw<Threat[]>([])
  rated = $state<number | null>(null)
  /** Whether the map is being rated before the fight is over. */
  jumped = $state(false)
  proposing = $state(false)
  /** Whether the computer gives my orders. */
  watching = $state(false)
  /** The window over the table. */
  open = $state<'gallery' | 'editor' | 'help' | null>(null)
  /** The map the editor starts with. */
  edited = $state.raw<MapJson | null>(null)
  whyStored = $state.raw<Why | null>(null)
  readonly replay = new Replay()
  #aimed = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #watchTimer: ReturnType<typeof setTimeout> | undefined

  constructor(session: Session<View>) {
    this.session = session
    if (session.table.view) this.cursor = this.own[0]?.at ?? this.cursor
    this.whyStored = JSON.parse(sessionStorage.getItem(`${WHY}.${session.table.id}`) ?? 'null') as Why | null
    session.onChange((before, now) => {
      if (before.view?.round !== now.view?.round) {
        this.draft = [null, null]
        this.active = 0
        this.aim = null
        if (before.view && now.view.rounds.length === before.view.rounds.length + 1) this.showAgain()
        else this.replay.stop()
        if (this.showThreats) void this.loadThreats()
      }
      if (this.watching) this.#watchOn()
    })
    if (this.showThreats && session.table.view) void this.loadThreats()
  }

  get why(): string | null {
    return this.whyStored && reasonText(this.whyStored)
  }
  /** Whether the rating is asked for: after the fight, or when somebody jumped there. */
  get rating(): boolean {
    return (this.session.table.state === 'over' || this.jumped) && this.session.mySeats.length > 0
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

  /** Shows the newest round again, first the moves, then the shots. */
  showAgain(): void {
    const { view } = this.session.table
    const round = view.rounds.at(-1)
    if (round) this.replay.start(round, afterRounds(view, view.rounds.length - 1).soldiers)
  }

  /** Sends the active soldier to a cell, or makes the soldier on it the active one. */
  choose(at: Place): void {
    if (this.session.acting === null) return
    this.replay.stop()
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

  /** Lets the computer give all my orders, round by round, until it is told to stop. */
  watch(on: boolean): void {
    this.watching = on
    clearTimeout(this.#watchTimer)
    if (on) this.#watchOn()
  }

  #watchOn(): void {
    clearTimeout(this.#watchTimer)
    if (this.session.table.state !== 'running') {
      this.watching = false
      return
    }
    this.#watchTimer = setTimeout(async () => {
      if (!this.watching) return
      // A move on its way or a round being shown: a little later.
      if (this.session.acting === null || this.replay.round) {
        if (this.session.myTurn !== null) this.#watchOn()
        return
      }
      await this.advise(true)
      if (!this.ready) return this.watch(false)
      await new Promise((wake) => setTimeout(wake, WATCH_MS))
      if (this.watching && this.ready) await this.commit()
    }, 250)
  }

  key(event: KeyboardEvent): boolean {
    const playing = this.session.acting !== null
    if (event.key === 'F1' && playing) this.order('stay')
    else if (event.key === 'F2') this.open = 'help'
    else if (event.key === 'F3' && playing && this.session.helpful) void this.advise(false)
    else if (event.key === 'F11' || event.key === 'r') this.jumpToRating()
    else return false
    return true
  }

  /** Opens the rating, now or after the fight, and goes there. */
  jumpToRating(): void {
    this.jumped = true
    requestAnimationFrame(() => {
      const panel = document.getElementById('hg-rating')
      panel?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
      panel?.focus()
    })
  }

  async rate(rating: number): Promise<void> {
    try {
      await taste.rate(this.session.table.view.map, rating)
      this.rated = rating
      this.session.say(t('homeguard.rated'))
    } catch (error) {
      complain(error)
    }
  }

  edit(map: MapJson): void {
    this.edited = map
    this.open = 'editor'
  }

  /** Called by a window that was closed; another one may be open already. */
  close(window: 'gallery' | 'editor' | 'help'): void {
    if (this.open === window) this.open = null
  }

  /** A fresh table on a map that should suit this player. */
  async next(): Promise<void> {
    this.proposing = true
    try {
      const [proposal] = await taste.propose(1)
      if (proposal) await this.playOn(proposal.map, { kind: proposal.kind, reasons: proposal.reasons })
    } catch (error) {
      complain(error)
    } finally {
      this.proposing = false
    }
  }

  /** A fresh table on a map, with the same people and computers. */
  async playOn(map: MapJson, why: Why | null = null): Promise<void> {
    try {
      const { table } = this.session
      const seats = table.seats.map((seat) => (seat.kind === 'bot' ? { kind: 'bot' as const, level: seat.level ?? undefined } : seat.me ? { kind: 'me' as const } : { kind: 'open' as const }))
      const made = await api.newTable({ game: 'homeguard', settings: { ...table.settings, map }, seats })
      if (why) sessionStorage.setItem(`${WHY}.${made.table.id}`, JSON.stringify(why))
      router.go(`/t/${made.table.id}`)
    } catch (error) {
      complain(error)
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#watchTimer)
    this.replay.stop()
  }
}
