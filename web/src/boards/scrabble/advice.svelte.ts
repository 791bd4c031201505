/** Help while a game of Scrabble runs: hints in three depths, ranked moves, where strong moves go. */

import { t } from '../../lib/i18n.svelte'
import { complain } from '../../lib/notices.svelte'
import type { ScrabbleController } from './controller.svelte'
import { squareName } from './model'
import type { Analysis, Hint } from './services'

export class Advice {
  hinted = $state.raw<Hint | null>(null)
  analysis = $state.raw<Analysis | null>(null)
  analysing = $state(false)
  heatOn = $state(false)
  /** Row by row, from 0 to 1; empty while it is not shown. */
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

  /** What was said about another position goes. */
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
      complain(error)
    }
  }

  /** Each further asking goes deeper: where, which tiles, the move. */
  async hint(): Promise<void> {
    const { session } = this.#ctl
    const { ply } = session.table
    const answer = await session.service<Hint>('hint', { depth: Math.min(3, (this.hinted?.depth ?? 0) + 1) })
    if (session.table.ply !== ply) return
    this.hinted = answer
    session.say(this.text)
    const [first] = answer.squares
    if (first && !this.#ctl.placed.length) this.#ctl.cursor = { row: first[0], col: first[1] }
  }

  /** The hint so far in words. */
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

  /** Ranks the moves I have; with time they are played on in thought. */
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
      if (!abort.signal.aborted) complain(error)
    } finally {
      if (this.#abort === abort) this.analysing = false
    }
  }

  stop(): void {
    this.#stopEffect()
    this.#abort?.abort()
  }
}
