/** State shared by Gomoku's board and tools: cursor, pending tap, overlays, hint, analysis, review. */

import { untrack } from 'svelte'
import type { Controller, ReviewData } from '../types'
import { t } from '../../lib/i18n.svelte'
import { showError, notices } from '../../lib/notices.svelte'
import { prefs } from '../../lib/prefs.svelte'
import { play as sound } from '../../lib/sound'
import type { Session } from '../../table/session.svelte'
import { canPlace, plyOfStone, pointName, same, stoneAt, type Action, type Color, type Point, type Spot, type View } from './model'
import { missed, position, reasonKey, reviewData, THREAT_SYMBOLS, type Analysis, type CandidateLine, type Hint, type HeatMap, type Reason, type ReviewedMove, type ThreatSpot } from './services'

/** A threat to draw. Two colours on one point are drawn side by side. */
export interface ThreatMark extends Point {
  color: Color
  mark: string
  dx: number
}

/** A reason as a translated sentence. */
export function reasonText(spot: Spot, reason: Reason): string {
  return t(`gomoku.reason.${reasonKey(reason)}`, {
    point: spot.name,
    makes: reason.makes ? t(`gomoku.threat.${reason.makes}`) : '',
    stops: reason.blocks ? t(`gomoku.threat.${reason.blocks}`) : '',
  })
}

/** What a reviewed move missed, as a translated sentence. */
export function missedText(move: ReviewedMove): string {
  const { key, threat } = missed(move)
  const point = move.better?.move.name ?? ''
  const side = t(`gomoku.seat.${move.color}`)
  return `${side}: ${t(`gomoku.review.${key}`, { point, threat: threat ? t(`gomoku.threat.name.${threat}`) : '' })}`
}

export class GomokuController implements Controller {
  cursor = $state.raw<Point>({ x: 7, y: 7 })
  /** A tap that waits for confirmation. */
  pending = $state.raw<Point | null>(null)
  heatOn = $state(false)
  threatsOn = $state(false)
  heat = $state.raw<{ x: number; y: number; p: number }[]>([])
  /** Whether the heat map comes from the policy network. */
  heatTrained = $state(true)
  threats = $state.raw<ThreatMark[]>([])
  hintResult = $state.raw<Hint | null>(null)
  analysis = $state.raw<CandidateLine[]>([])
  analysing = $state(false)
  /** Variation previewed on the board. */
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
      $effect(() => this.#resetOverlays())
      $effect(() => void this.#loadHeat())
      $effect(() => void this.#loadThreats())
      $effect(() => this.#receiveAnalysis())
    })
  }

  get numbers(): boolean {
    return prefs.board('gomoku.numbers', false)
  }
  get coordinates(): boolean {
    return prefs.board('gomoku.coordinates', true)
  }

  get helpAllowed(): boolean {
    return this.#session.helpAllowed
  }

  /** Points to highlight: the hint, or the better move of the review. */
  get highlighted(): Point[] {
    if (this.hintResult) return [this.hintResult.move]
    const better = this.better?.better
    return better ? [better.move] : []
  }

  /** The reviewed move after the shown position, if a better move exists. */
  get better(): ReviewedMove | null {
    const { table, shownPly } = this.#session
    return this.reviewed.find((move) => move.better && plyOfStone(table.view, move.number) === shownPly + 1) ?? null
  }

  /** Clears overlays that belong to another position. */
  #resetOverlays(): void {
    void this.#session.shownPly
    void this.#session.table.seq
    this.pending = null
    this.hintResult = null
    this.variation = null
    this.analysis = []
    this.#abort?.abort()
  }

  async #loadHeat(): Promise<void> {
    const view = this.#session.view
    this.heat = []
    if (!this.heatOn || !this.#hasNextMove(view)) return
    try {
      const map = await this.#session.service<HeatMap>('heatmap_position', position(view))
      if (this.#session.view !== view && this.#session.shownPly !== view.actions.length) return
      this.heat = map.points.slice(0, 40).map(({ x, y, probability }) => ({ x, y, p: probability }))
      this.heatTrained = map.trained
    } catch (error) {
      this.heatOn = false
      showError(error)
    }
  }

  async #loadThreats(): Promise<void> {
    const view = this.#session.view
    this.threats = []
    if (!this.threatsOn || !this.#hasNextMove(view)) return
    try {
      const { threats } = await this.#session.service<{ threats: ThreatSpot[] }>('threats_position', position(view))
      if (this.#session.shownPly !== view.actions.length) return
      this.threats = threats.map((spot) => {
        const both = threats.some((other) => other.color !== spot.color && same(other, spot))
        return { x: spot.x, y: spot.y, color: spot.color, mark: THREAT_SYMBOLS[spot.threat], dx: both ? (spot.color === 'black' ? -8 : 8) : 0 }
      })
    } catch (error) {
      this.threatsOn = false
      showError(error)
    }
  }

  /** Whether the shown position has a next move. */
  #hasNextMove(view: View): boolean {
    const over = this.#session.live && this.#session.table.state === 'over'
    return !(over && view.line.length > 0) && view.stones.length < view.size * view.size
  }

  /** A click plays; a tap plays after confirmation, where confirmation is on. */
  clickPoint(point: Point, touch: boolean): void {
    if (this.#session.acting === null) return
    if (touch && prefs.confirmTaps && !same(this.pending, point)) {
      this.pending = canPlace(this.#session.view, point) ? point : null
      return
    }
    void this.play(point)
  }

  async play(point: Point): Promise<void> {
    const session = this.#session
    const view = session.view
    if (session.acting === null) {
      if (session.table.state === 'running' && !session.sending) notices.announce(t(session.live ? 'turn.theirs' : 'gomoku.past'))
      return
    }
    this.pending = null
    if (!canPlace(view, point)) {
      sound('no')
      const name = pointName(point, view.size)
      if (stoneAt(view.stones, point)) notices.announce(t('gomoku.taken', { point: name }))
      else if (view.phase === 'play') notices.show('error', t('gomoku.forbidden.here', { point: name }))
      return
    }
    await session.act({ type: 'place', x: point.x, y: point.y } satisfies Action)
  }

  async chooseColor(type: 'take_black' | 'take_white' | 'add_two'): Promise<void> {
    await this.#session.act({ type } satisfies Action)
  }

  hint = async (): Promise<void> => {
    const seq = this.#session.table.seq
    const answer = await this.#session.service<Hint>('hint', { ms: 500 })
    if (this.#session.table.seq !== seq || !this.#session.live) return
    this.hintResult = answer
    this.cursor = { x: answer.move.x, y: answer.move.y }
    notices.announce(`${t('hint')}: ${reasonText(answer.move, answer.reason)}`)
  }

  /** Ranks the best moves of the shown position; deeper results replace earlier ones. */
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
      if (!abort.signal.aborted) showError(error)
    } finally {
      if (this.#abort === abort) this.analysing = false
    }
  }

  /** Takes intermediate results of a running analysis. */
  #receiveAnalysis(): void {
    const detail = this.#session.progress.analyse_position?.detail as { index?: number; line?: CandidateLine | null } | undefined
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
    const timer = setInterval(() => progress(session.progress.review?.done ?? 0), 200)
    try {
      const { moves } = await session.service<{ moves: ReviewedMove[] }>('review', { nodes: 20_000 })
      this.reviewed = moves
      return reviewData(session.table.view, moves, session.mySeats[0] ?? 0, missedText)
    } finally {
      clearInterval(timer)
    }
  }

  /** Keys while the board has focus: N numbers, H hint, T threats, M heat map. */
  key = (event: KeyboardEvent): boolean => {
    if (!(event.target as HTMLElement).closest('[data-board]')) return false
    switch (event.key) {
      case 'n':
        prefs.setBoard('gomoku.numbers', !this.numbers)
        return true
      case 'h':
        if (this.helpAllowed && this.#session.acting !== null) void this.hint().catch(showError)
        return true
      case 't':
        if (this.helpAllowed) this.threatsOn = !this.threatsOn
        return true
      case 'm':
        if (this.helpAllowed) this.heatOn = !this.heatOn
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
