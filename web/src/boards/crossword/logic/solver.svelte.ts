/** Solver state: proposed letters with confidence and evidence, and the replay of a solve. */

import { t } from '../../../lib/i18n.svelte'
import { showError } from '../../../lib/notices.svelte'
import type { CrosswordController } from '../controller.svelte'
import { proposed, type Chance, type Replay, type Solved, type WordChance } from '../services'

const FRAME_MS = 550

export class SolverState {
  busy = $state(false)
  solved = $state.raw<Solved | null>(null)
  replay = $state.raw<Replay | null>(null)
  /** Shown frame of the replay. */
  frame = $state(0)
  playing = $state(false)
  #ctl: CrosswordController
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(ctl: CrosswordController) {
    this.#ctl = ctl
  }

  /** Letters drawn over the grid; null when the solver is not shown. */
  get cells(): Chance[] | null {
    return this.replay ? (this.replay.frames[this.frame]?.cells ?? null) : (this.solved?.cells ?? null)
  }
  /** Whether the solver's letters replace the user's own. */
  get hidesOwnLetters(): boolean {
    return this.replay !== null
  }
  get word(): WordChance | null {
    const { entry } = this.#ctl
    return entry === null ? null : (this.solved?.words[entry] ?? null)
  }

  /** Entries and crossings for which no known word fits, one line each. */
  get conflicts(): string[] {
    const name = (entry: number) => {
      const clue = this.#ctl.view.clues[entry]
      return clue ? this.#ctl.name(clue) : ''
    }
    return (this.solved?.words ?? []).flatMap((word, entry) => [
      ...(word.conflict ? [t('crossword.conflict.word', { here: name(entry) })] : []),
      ...word.unmet.filter((other) => other > entry).map((other) => t('crossword.conflict.crossing', { here: name(entry), there: name(other) })),
    ])
  }

  async #ask<T>(service: 'solve' | 'replay'): Promise<T | null> {
    this.busy = true
    try {
      return await this.#ctl.session.service<T>(service, { seconds: 8 })
    } catch (error) {
      showError(error)
      return null
    } finally {
      this.busy = false
    }
  }

  async solve(): Promise<void> {
    this.stopReplay()
    this.solved = await this.#ask<Solved>('solve')
    if (this.solved) this.#ctl.session.announce(t('crossword.solve.done', { n: this.count(0) }))
  }

  /** Number of cells that a minimum probability would fill. */
  count(from: number): number {
    return this.solved ? proposed(this.#ctl.view, this.#ctl.edits, this.solved.cells, from).length : 0
  }

  async accept(from: number): Promise<void> {
    if (!this.solved) return
    await this.#ctl.fill(proposed(this.#ctl.view, this.#ctl.edits, this.solved.cells, from), true)
    if (from === 0) this.solved = null
  }

  /** Writes one solver letter, for puzzles without a solution. */
  async writeLetter(cell: number): Promise<void> {
    const solved = this.solved ?? (await this.#ask<Solved>('solve'))
    const letters = solved?.cells[cell]?.letter
    if (letters) await this.#ctl.fill([{ cell, letters }], true)
  }

  async show(): Promise<void> {
    this.replay = await this.#ask<Replay>('replay')
    this.frame = 0
    if (this.replay) this.play()
  }

  play(): void {
    clearInterval(this.#timer)
    const last = (this.replay?.frames.length ?? 1) - 1
    if (this.frame >= last) this.frame = 0
    this.playing = true
    this.#timer = setInterval(() => {
      if (this.frame >= last) this.pause()
      else this.frame++
    }, FRAME_MS)
  }

  pause(): void {
    clearInterval(this.#timer)
    this.playing = false
  }

  stopReplay(): void {
    this.pause()
    this.replay = null
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
