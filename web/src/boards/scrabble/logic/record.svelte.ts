/** Reads a game turn by turn: the report of this table, or a record from a file. */

import { api } from '../../../lib/api'
import { t } from '../../../lib/i18n.svelte'
import { showError } from '../../../lib/notices.svelte'
import { downloadFile } from '../../../lib/download'
import { shortName } from '../../../table/names'
import type { Session } from '../../../table/session.svelte'
import type { ReviewData } from '../../types'
import type { TileView, View } from '../model'
import { pliesOf, reviewData, turningPoints, type GameReport, type SavedFile, type TurnReport } from '../services'

export class RecordReader {
  report = $state.raw<GameReport | null>(null)
  /** Whether the report comes from a file. */
  imported = $state(false)
  /** Selected turn, from 0; null shows the table. */
  turn = $state<number | null>(null)
  loading = $state(false)
  /** Move selected in a ranking, in move notation. */
  shown = $state<string | null>(null)
  #session: Session<View>

  constructor(session: Session<View>) {
    this.#session = session
  }

  get current(): TurnReport | null {
    return this.turn === null ? null : (this.report?.turns[this.turn] ?? null)
  }

  /** Name of the player of a turn. */
  name(seat: number): string {
    if (this.imported) return this.report?.players[seat] || t('seat.number', { n: seat + 1 })
    const { seats, game } = this.#session.table
    return seats[seat] ? shortName(seats[seat], game, this.#session.info) : t('seat.number', { n: seat + 1 })
  }

  /** Loads the report of the finished game; `quietly` hides errors of automatic loads. */
  async load(quietly = false): Promise<GameReport | null> {
    if (this.report && !this.imported) return this.report
    this.loading = true
    try {
      this.report = await this.#session.service<GameReport>('report', {})
      this.imported = false
      this.turn = null
      return this.report
    } catch (error) {
      if (!quietly) showError(error)
      return null
    } finally {
      this.loading = false
    }
  }

  /** Opens a record from a file at its first turn. */
  async open(language: string, gcg: string): Promise<void> {
    this.loading = true
    try {
      this.report = await api.gameService<GameReport>('scrabble', 'import', { language, gcg })
      this.imported = true
      this.go(0)
    } catch (error) {
      showError(error)
    } finally {
      this.loading = false
    }
  }

  /** Downloads this table's game. */
  async saveAs(format: 'gcg' | 'html'): Promise<void> {
    this.loading = true
    try {
      const players = this.#session.table.seats.map((_, seat) => this.name(seat))
      const file = await this.#session.service<SavedFile>('export', { format, players })
      downloadFile(new Blob([file.text], { type: file.media_type }), file.name)
    } catch (error) {
      showError(error)
    } finally {
      this.loading = false
    }
  }

  close(): void {
    this.turn = null
    this.shown = null
    if (this.imported) {
      this.report = null
      this.imported = false
      if (this.#session.table.state === 'over') void this.load(true)
    }
  }

  go(turn: number): void {
    const last = (this.report?.turns.length ?? 0) - 1
    if (last < 0) return
    this.turn = Math.max(0, Math.min(turn, last))
    this.shown = null
    const { current } = this
    if (current) this.#session.announce(`${t('move.number', { n: current.number })}: ${this.name(current.seat)}, ${this.moveText(current.move)}`)
  }

  key(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement
    if (event.key === 'Escape') this.close()
    else if (target.closest('[role="radiogroup"]')) return false
    else if (event.key === 'ArrowLeft') this.go(this.turn! - 1)
    else if (event.key === 'ArrowRight') this.go(this.turn! + 1)
    else return false
    return true
  }

  /** Board of the selected turn, in the format of views. */
  tiles(letters: View['letters']): (TileView | null)[] {
    const { current } = this
    if (!current) return []
    const known = this.report?.language === this.#session.table.view.language
    return current.board.flat().map((text) => {
      const letter = text.replace(/[[\]]/g, '')
      if (!letter.trim()) return null
      const upper = letter.toUpperCase()
      const blank = upper !== letter
      const value = known && !blank ? (letters.find((entry) => entry.letter === upper)?.value ?? 0) : 0
      return { letter: upper, value, blank }
    })
  }

  /** A move of a report as text. */
  moveText(move: string): string {
    if (move === 'pass') return t('scrabble.entry.pass')
    const given = /^exchange ?(.*)$/.exec(move)
    return given ? t('scrabble.entry.exchange.tiles', { tiles: given[1]! }) : move
  }

  /** Two-sentence summary of the game. */
  get summary(): string {
    const { report } = this
    if (!report) return ''
    const { highest, worst } = turningPoints(report)
    const sentences: string[] = []
    if (highest) sentences.push(t('scrabble.report.highest', { name: this.name(highest.seat), move: highest.move, turn: highest.number, n: highest.score }))
    if (worst) {
      const values = { name: this.name(worst.seat), move: this.moveText(worst.move), best: this.moveText(worst.best[0]?.move ?? ''), turn: worst.number, n: Math.round(worst.loss ?? 0) }
      sentences.push(t('scrabble.report.turned', values))
    } else if (report.turns.some(({ loss }) => loss !== null)) sentences.push(t('scrabble.report.clean'))
    else sentences.push(t('scrabble.report.unknown'))
    return sentences.join(' ')
  }

  costText(turn: TurnReport): string {
    return t('scrabble.report.cost', { name: this.name(turn.seat), move: this.moveText(turn.move), best: this.moveText(turn.best[0]?.move ?? ''), n: Math.round(turn.loss ?? 0) })
  }

  async review(progress: (done: number) => void): Promise<ReviewData> {
    const timer = setInterval(() => progress(this.#session.progress.report?.done ?? 0), 200)
    try {
      const report = await this.load()
      if (!report) return { seat: 0, curve: [], moments: [] }
      return reviewData(report, pliesOf(this.#session.table.view.history), this.#session.mySeats[0] ?? 0, (turn) => this.costText(turn))
    } finally {
      clearInterval(timer)
    }
  }
}
