/** State shared by board and tools: draft orders, overlays, the choice of the next map. */

import { api } from '../../lib/api'
import { t } from '../../lib/i18n.svelte'
import { showError } from '../../lib/notices.svelte'
import { prefs } from '../../lib/prefs.svelte'
import { router } from '../../lib/router.svelte'
import type { Session } from '../../table/session.svelte'
import type { Controller } from '../types'
import { afterRounds, soldiersOf, cellName, orderTo, type Action, type MapJson, type Order, type Place, type View } from './model'
import { Replay } from './logic/replay.svelte'
import { reasonText, preferenceStore } from './logic/preferences.svelte'
import type { Aim, Proposal, Threat } from './services'

/** Why a map was proposed; kept until the tab closes. */
type Why = Pick<Proposal, 'kind' | 'reasons'>
const WHY = 'parlour.homeguard.why'

/** How long autoplay shows its orders before committing. */
const AUTOPLAY_MS = 700

/** An order in words, such as `Soldier 1: north-east`. */
const orderText = (index: number, order: Order): string => t('homeguard.ordered', { n: index + 1, order: t(`homeguard.order.${order}`) })

export class HomeguardController implements Controller {
  readonly session: Session<View>
  draft = $state.raw<[Order | null, Order | null]>([null, null])
  active = $state<0 | 1>(0)
  cursor = $state.raw<Place>({ x: 0, y: 0 })
  aim = $state.raw<Aim | null>(null)
  threats = $state.raw<Threat[]>([])
  rated = $state<number | null>(null)
  /** Whether the rating panel is open before the fight is over. */
  jumped = $state(false)
  proposing = $state(false)
  /** Whether the computer orders my soldiers. */
  autoplay = $state(false)
  /** Open dialog. */
  open = $state<'gallery' | 'editor' | 'help' | null>(null)
  /** Map the editor starts with. */
  edited = $state.raw<MapJson | null>(null)
  whyStored = $state.raw<Why | null>(null)
  readonly replay = new Replay()
  #aimed = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #autoplayTimer: ReturnType<typeof setTimeout> | undefined

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
      if (this.autoplay) this.#autoplayNext()
    })
    if (this.showThreats && session.table.view) void this.loadThreats()
  }

  get why(): string | null {
    return this.whyStored && reasonText(this.whyStored)
  }
  /** Whether to ask for a rating: after the fight, or on request. */
  get rating(): boolean {
    return (this.session.table.state === 'over' || this.jumped) && this.session.mySeats.length > 0
  }
  get seat(): number {
    return this.session.mySeats[0] ?? 0
  }
  get own() {
    return soldiersOf(this.session.view, this.seat)
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
      showError(error)
    }
  }

  /** Shows who could hit whom from a cell, after the pointer rests. */
  showAim(at: Place | null): void {
    clearTimeout(this.#timer)
    if (!at || !this.session.helpAllowed) {
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

  /** Replays the newest round: moves, then shots. */
  showAgain(): void {
    const { view } = this.session.table
    const round = view.rounds.at(-1)
    if (round) this.replay.start(round, afterRounds(view, view.rounds.length - 1).soldiers)
  }

  /** Orders the active soldier to a cell, or activates the soldier on it. */
  clickCell(at: Place): void {
    if (this.session.acting === null) return
    this.replay.stop()
    const { view } = this.session
    const soldier = this.own.findIndex((soldier) => soldier.at.x === at.x && soldier.at.y === at.y)
    if (soldier >= 0 && soldier !== this.active) {
      this.active = soldier as 0 | 1
      return
    }
    // Keep the other soldier's order if possible, else replace it.
    const order = orderTo(view, this.pairs, this.seat, this.active, this.draft, at) ?? orderTo(view, this.pairs, this.seat, this.active, [null, null], at)
    if (!order) {
      this.session.announce(t('homeguard.not_there', { cell: cellName(at) }))
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
    this.session.announce(orderText(this.active, order))
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
      if (both) {
        this.draft = orders
        this.session.announce(orders.map((order, index) => orderText(index, order)).join(' '))
      } else this.order(orders[this.active])
    } catch (error) {
      showError(error)
    }
  }

  async hint(): Promise<void> {
    await this.advise(true)
  }

  /** Lets the computer give all my orders until it is stopped. */
  setAutoplay(on: boolean): void {
    this.autoplay = on
    clearTimeout(this.#autoplayTimer)
    if (on) this.#autoplayNext()
  }

  #autoplayNext(): void {
    clearTimeout(this.#autoplayTimer)
    if (this.session.table.state !== 'running') {
      this.autoplay = false
      return
    }
    this.#autoplayTimer = setTimeout(async () => {
      if (!this.autoplay) return
      // An action is in flight or a round is being replayed: try later.
      if (this.session.acting === null || this.replay.round) {
        if (this.session.myTurn !== null) this.#autoplayNext()
        return
      }
      await this.advise(true)
      if (!this.ready) return this.setAutoplay(false)
      await new Promise((wake) => setTimeout(wake, AUTOPLAY_MS))
      if (this.autoplay && this.ready) await this.commit()
    }, 250)
  }

  key(event: KeyboardEvent): boolean {
    const playing = this.session.acting !== null
    if (event.key === 'F1' && playing) this.order('stay')
    else if (event.key === 'F2') this.open = 'help'
    else if (event.key === 'F3' && playing && this.session.helpAllowed) void this.advise(false)
    else if (event.key === 'F11' || event.key === 'r') this.jumpToRating()
    else return false
    return true
  }

  /** Opens the rating panel and scrolls to it. */
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
      await preferenceStore.rate(this.session.table.view.map, rating)
      this.rated = rating
      this.session.announce(t('homeguard.rated'))
    } catch (error) {
      showError(error)
    }
  }

  edit(map: MapJson): void {
    this.edited = map
    this.open = 'editor'
  }

  /** Called when a dialog closes; another one may be open already. */
  close(window: 'gallery' | 'editor' | 'help'): void {
    if (this.open === window) this.open = null
  }

  /** Opens a table on a map chosen for this player. */
  async next(): Promise<void> {
    this.proposing = true
    try {
      const [proposal] = await preferenceStore.propose(1)
      if (proposal) await this.playOn(proposal.map, { kind: proposal.kind, reasons: proposal.reasons })
    } catch (error) {
      showError(error)
    } finally {
      this.proposing = false
    }
  }

  /** Opens a table on a map with the same players. */
  async playOn(map: MapJson, why: Why | null = null): Promise<void> {
    try {
      const { table } = this.session
      const seats = table.seats.map((seat) => (seat.kind === 'bot' ? { kind: 'bot' as const, level: seat.level ?? undefined } : seat.me ? { kind: 'me' as const } : { kind: 'open' as const }))
      const made = await api.newTable({ game: 'homeguard', settings: { ...table.settings, map }, seats })
      if (why) sessionStorage.setItem(`${WHY}.${made.table.id}`, JSON.stringify(why))
      router.go(`/t/${made.table.id}`)
    } catch (error) {
      showError(error)
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#autoplayTimer)
    this.replay.stop()
  }
}
