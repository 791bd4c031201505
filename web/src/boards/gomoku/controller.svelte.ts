/** What Gomoku's board and tools share: cursor, pending tap, overlays, hint, analysis, review. */

import { untrack } from 'svelte'
import type { Controller, ReviewData } from '../types'
import { t } from '../../lib/i18n.svelte'
import { complain, notices } from '../../lib/notices.svelte'
import { prefs } from '../../lib/prefs.svelte'
import { play as sound } from '../../lib/sound'
import type { Session } from '../../table/session.svelte'
import { placeable, plyOfStone, pointName, same, stoneAt, type Action, type Color, type Point, type Spot, type View } from './model'
import { missed, position, reasonKey, reviewData, SIGNS, type Analysis, type CandidateLine, type Hint, type HeatMap, type Reason, type ReviewedMove, type ThreatSpot } from './services'

/** A threat ready to draw: two colours on one point stand side by side. */
export interface ThreatMark extends Point {
  color: Color
  mark: string
  dx: number
}

/** A reason in the reader's words. */
export function reasonText(spot: Spot, reason: Reason): string {
  return t(`gomoku.reason.${reasonKey(reason)}`, {
    point: spot.name,
    makes: reason.makes ? t(`gomoku.threat.${reason.makes}`) : '',
    stops: reason.blocks ? t(`gomoku.threat.${reason.blocks}`) : '',
  })
}

/** What a move of the review missed, in the reader's words. */
export function missedText(move: ReviewedMove): string {
  const { key, threat } = missed(move)
  const point = move.better?.move.name ?? ''
  const side = t(`gomoku.seat.${move.color}`)
  return `${side}: ${t(`gomoku.review.${key}`, { point, threat: threat ? t(`gomoku.threat.name.${threat}`) : '' })}`
}

export class GomokuController implements Controller {
  cursor = $state.raw<Point>({ x: 7, y: 7 })
  /** A tap that waits for its confirmation. */
  pending = $state.raw<Point | null>(null)
  heatOn = $state(false)
  threatsOn = $state(false)
  heat = $state.raw<{ x: number; y: number; p: number }[]>([])
  /** Whether the heat map shown comes from a trained net. */
  heatTrained = $state(true)
  threats = $state.raw<ThreatMark[]>([])
  answer = $state.raw<Hint | null>(null)
  analysis = $state.raw<CandidateLine[]>([])
  analysing = $state(false)
  /** The line shown on the board while it is pointed at. */
  variation = $state.raw<readonly Point[] | null>(null)
  reviewed = $state.raw<ReviewedMove[]>([])
  #session: Session<View>
  #stopEffects: () => void
  #abort: AbortController | null = null

  constructor(session: Session<View>) {
    this.#session = session
    const middle = Math.floor((session.view.size - 1) / 2)
    this.cursor = { x: middle, y: middle }
    this.#stopEffects = $effect.root(() => {
      $effect(() => this.#moved())
      $effect(() => void this.#loadHeat())
      $effect(() => void this.#loadThreats())
      $effect(() => this.#hearAnalysis())
    })
  }

  get numbers(): boolean {
    return prefs.board('gomoku.numbers', false)
  }
  get coordinates(): boolean {
    return prefs.board('gomoku.coordinates', true)
  }

  get helpful(): boolean {
    return this.#session.helpful
  }

  /** Points to ring: the hint, or what the review would have played. */
  get marked(): Point[] {
    if (this.answer) return [this.answer.move]
    const better = this.better?.better
    return better ? [better.move] : []
  }

  /** The reviewed move that follows the moment shown, where another was better. */
  get better(): ReviewedMove | null {
    const { table, shownPly } = this.#session
    return this.reviewed.find((move) => move.better && plyOfStone(table.view, move.number) === shownPly + 1) ?? null
  }

  /** Everything that was said about another moment goes. */
  #moved(): void {
    void this.#session.shownPly
    void this.#session.table.seq
    this.pending = null
    this.answer = null
    this.variation = null
    this.analysis = []
    this.#abort?.abort()
  }

  async #loadHeat(): Promise<void> {
    const view = this.#session.view
    this.heat = []
    if (!this.heatOn || !this.#open(view)) return
    try {
      const map = await this.#session.service<HeatMap>('heatmap_position', position(view))
      if (this.#session.view !== view && this.#session.shownPly !== view.actions.length) return
      this.heat = map.points.slice(0, 40).map(({ x, y, probability }) => ({ x, y, p: probability }))
      this.heatTrained = map.trained
    } catch (error) {
      this.heatOn = false
      complain(error)
    }
  }

  async #loadThreats(): Promise<void> {
    const view = this.#session.view
    this.threats = []
    if (!this.threatsOn || !this.#open(view)) return
    try {
      const { threats } = await this.#session.service<{ threats: ThreatSpot[] }>('threats_position', position(view))
      if (this.#session.shownPly !== view.actions.length) return
      this.threats = threats.map((spot) => {
        const both = threats.some((other) => other.color !== spot.color && same(other, spot))
        return { x: spot.x, y: spot.y, color: spot.color, mark: SIGNS[spot.threat], dx: both ? (spot.color === 'black' ? -8 : 8) : 0 }
      })
    } catch (error) {
      this.threatsOn = false
      complain(error)
    }
  }

  /** Whether a moment has a next move to speak of. */
  #open(view: View): boolean {
    const over = this.#session.live && this.#session.table.state === 'over'
    return !(over && view.line.length > 0) && view.stones.length < view.size * view.size
  }

  /** A click or tap: plays, or asks first where taps are confirmed. */
  choose(point: Point, touch: boolean): void {
    if (this.#session.acting === null) return
    if (touch && prefs.confirmTaps && !same(this.pending, point)) {
      this.pending = placeable(this.#session.view, point) ? point : null
      return
    }
    void this.play(point)
  }

  async play(point: Point): Promise<void> {
    const session = this.#session
    const view = session.view
    if (session.acting === null) {
      if (session.table.state === 'running') notices.say(t(session.live ? 'turn.theirs' : 'gomoku.past'))
      return
    }
    this.pending = null
    if (!placeable(view, point)) {
      sound('no')
      const name = pointName(point, view.size)
      if (stoneAt(view.stones, point)) notices.say(t('gomoku.taken', { point: name }))
      else if (view.phase === 'play') notices.show('error', t('gomoku.forbidden.here', { point: name }))
      return
    }
    await session.act({ type: 'place', x: point.x, y: point.y } satisfies Action)
  }

  async take(type: 'take_black' | 'take_white' | 'add_two'): Promise<void> {
    await this.#session.act({ type } satisfies Action)
  }

  hint = async (): Promise<void> => {
    const seq = this.#session.table.seq
    const answer = await this.#session.service<Hint>('hint', { ms: 500 })
    if (this.#session.table.seq !== seq || !this.#session.live) return
    this.answer = answer
    this.cursor = { x: answer.move.x, y: answer.move.y }
    notices.say(`${t('hint')}: ${reasonText(answer.move, answer.reason)}`)
  }

  /** Compares the best moves of the moment shown; deeper results appear as they come. */
  async analyse(ms: number, lines: number): Promise<void> {
    this.#abort?.abort()
    const abort = (this.#abort = new AbortController())
    const ply = this.#session.shownPly
    this.analysing = true
    this.analysis = []
    try {
      const request = { ...position(this.#session.view), ms, lines }
      const found = await this.#session.service<Analysis>('analyse_position', request, abort.signal)
      if (this.#session.shownPly === ply && this.#abort === abort) this.analysis = found.lines
    } catch (error) {
      if (!abort.signal.aborted) complain(error)
    } finally {
      if (this.#abort === abort) this.analysing = false
    }
  }

  /** Takes over what a running analysis has found so far. */
  #hearAnalysis(): void {
    const detail = this.#session.progress['analyse_position']?.detail as { index?: number; line?: CandidateLine | null } | undefined
    if (!detail?.line || detail.index === undefined) return
    const { index, line } = detail
    untrack(() => {
      if (!this.analysing || index > this.analysis.length) return
      const lines = this.analysis.filter((known, at) => at !== index && known.move.name !== line.move.name)
      lines.splice(index, 0, line)
      this.analysis = lines
    })
  }

  async review(progress: (done: number) => void): Promise<ReviewData> {
    const session = this.#session
    const timer = setInterval(() => progress(session.progress['review']?.done ?? 0), 200)
    try {
      const { moves } = await session.service<{ moves: ReviewedMove[] }>('review', { nodes: 20_000 })
      this.reviewed = moves
      return reviewData(session.table.view, moves, session.mySeats[0] ?? 0, missedText)
    } finally {
      clearInterval(timer)
    }
  }

  /** While the board has the focus: N numbers, H hint, T threats, M heat map. */
  key = (event: KeyboardEvent): boolean => {
    if (!(event.target as HTMLElement).closest('[data-board]')) return false
    switch (event.key) {
      case 'n':
        prefs.setBoard('gomoku.numbers', !this.numbers)
        return true
      case 'h':
        if (this.helpful && this.#session.acting !== null) void this.hint().catch(complain)
        return true
      case 't':
        if (this.helpful) this.threatsOn = !this.threatsOn
        return true
      case 'm':
        if (this.helpful) this.heatOn = !this.heatOn
        return true
      default:
        return false
    }
  }

  stop = (): void => {
    this.#stopEffects()
    this.#abort?.abort()
  }
}
