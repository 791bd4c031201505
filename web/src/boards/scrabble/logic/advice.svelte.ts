/** Help during a game of Scrabble: hints in three steps, ranked moves, heat map. */

import { t } from '../../../lib/i18n.svelte'
import { showError } from '../../../lib/notices.svelte'
import type { ScrabbleController } from '../controller.svelte'
import { squareName } from '../model'
import type { Analysis, Hint } from '../services'

export class Advice {
  hinted = $state.raw<Hint | null>(null)
  analysis = $state.raw<Analysis | null>(null)
  analysing = $state(false)
  heatOn = $state(false)
  /** Row by row, from 0 to 1; empty while hidden. */
  heat = $state.raw<number[]>([])
  #ctl: ScrabbleController
  #abort: AbortController | null = null
  #stopEffect: () => void

  constructor(ctl: ScrabbleController) {
    this.#ctl = ctl
    this.#stopEffect = $effect.root(() => {
      $effect(() => void this.#loadHeat())
    })
  }

  /** Clears advice about an earlier position. */
  forget(): void {
    this.hinted = null
    this.analysis = null
    this.#abort?.abort()
  }

  async #loadHeat(): Promise<void> {
    const { session } = this.#ctl
    const { ply, view } = session.table
    const wanted = this.heatOn && session.live && view.over === null && view.rack !== null
    this.heat = []
    if (!wanted) return
    try {
      const { heat } = await session.service<Analysis>('analyse', { n: 15, ms: 0 })
      if (session.table.ply === ply) this.heat = heat
    } catch (error) {
      this.heatOn = false
      showError(error)
    }
  }

  /** Each request goes one step deeper: place, tiles, move. */
  async hint(): Promise<void> {
    const { session } = this.#ctl
    const { ply } = session.table
    const answer = await session.service<Hint>('hint', { depth: Math.min(3, (this.hinted?.depth ?? 0) + 1) })
    if (session.table.ply !== ply) return
    this.hinted = answer
    session.announce(this.text)
    const [first] = answer.squares
    if (first && !this.#ctl.placed.length) this.#ctl.cursor = { row: first[0], col: first[1] }
  }

  /** The current hint as text. */
  get text(): string {
    const hint = this.hinted
    if (!hint) return ''
    const tiles = hint.tiles?.join(' ') ?? ''
    if (hint.instead === 'exchange') return t(hint.tiles ? 'scrabble.hint.exchange.tiles' : 'scrabble.hint.exchange', { tiles })
    if (hint.instead === 'pass') return t('scrabble.hint.pass')
    const from = hint.squares[0]
    if (hint.depth === 1) return t('scrabble.hint.where', { square: from ? squareName({ row: from[0], col: from[1] }) : '' })
    if (hint.depth === 2) return t('scrabble.hint.tiles', { tiles })
    return t('scrabble.hint.move', { move: `${hint.at} ${hint.word}`, n: hint.score ?? 0 })
  }

  /** Ranks my moves; with time, by simulation. */
  async analyse(ms: number): Promise<void> {
    this.#abort?.abort()
    const abort = (this.#abort = new AbortController())
    const { session } = this.#ctl
    const { ply } = session.table
    this.analysing = true
    try {
      const found = await session.service<Analysis>('analyse', { n: 12, ms }, abort.signal)
      if (session.table.ply === ply) this.analysis = found
    } catch (error) {
      if (!abort.signal.aborted) showError(error)
    } finally {
      if (this.#abort === abort) this.analysing = false
    }
  }

  stop(): void {
    this.#stopEffect()
    this.#abort?.abort()
  }
}
