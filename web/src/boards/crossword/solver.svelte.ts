/** Help from the solver: the rest of the grid with how sure it is, why, and how it came to it. */

import { t } from '../../lib/i18n.svelte'
import { complain } from '../../lib/notices.svelte'
import type { CrosswordController } from './controller.svelte'
import { proposed, type Chance, type Replay, type Solved, type WordChance } from './services'

const FRAME_MS = 550

export class HelpFromSolver {
  busy = $state(false)
  solved = $state.raw<Solved | null>(null)
  replay = $state.raw<Replay | null>(null)
  /** The moment of the replay that is shown. */
  frame = $state(0)
  playing = $state(false)
  #ctl: CrosswordController
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(ctl: CrosswordController) {
    this.#ctl = ctl
  }

  /** Letters to show over the grid, where the solver's are looked at. */
  get cells(): Chance[] | null {
    return this.replay ? (this.replay.frames[this.frame]?.cells ?? null) : (this.solved?.cells ?? null)
  }
  /** Whether the solver's letters hide the person's own. */
  get covers(): boolean {
    return this.replay !== null
  }
  get word(): WordChance | null {
    const { entry } = this.#ctl
    return entry === null ? null : (this.solved?.words[entry] ?? null)
  }

  /** What no known words can meet with the letters that stand, one line each. */
  get unmet(): string[] {
    const name = (entry: number) => {
      const clue = this.#ctl.view.clues[entry]
      return clue ? this.#ctl.name(clue) : ''
    }
    return (this.solved?.words ?? []).flatMap((word, entry) => [
      ...(word.conflict ? [t('crossword.unmet.word', { here: name(entry) })] : []),
      ...word.unmet.filter((other) => other > entry).map((other) => t('crossword.unmet.crossing', { here: name(entry), there: name(other) })),
    ])
  }

  async #ask<T>(service: 'solve' | 'replay'): Promise<T | null> {
    this.busy = true
    try {
      return await this.#ctl.session.service<T>(service, { seconds: 8 })
    } catch (error) {
      complain(error)
      return null
    } finally {
      this.busy = false
    }
  }

  async solve(): Promise<void> {
    this.stopReplay()
    this.solved = await this.#ask<Solved>('solve')
    if (this.solved) this.#ctl.session.say(t('crossword.solve.done', { n: this.count(0) }))
  }

  /** How many cells would be written from a probability on. */
  count(from: number): number {
    return this.solved ? proposed(this.#ctl.view, this.#ctl.ink, this.solved.cells, from).length : 0
  }

  async accept(from: number): Promise<void> {
    if (!this.solved) return
    await this.#ctl.fill(proposed(this.#ctl.view, this.#ctl.ink, this.solved.cells, from), true)
    if (from === 0) this.solved = null
  }

  /** Writes one letter as the solver has it, for puzzles without a solution. */
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
