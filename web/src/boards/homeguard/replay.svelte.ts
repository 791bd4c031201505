/** A finished round shown in two short phases: everybody moves, then everybody fires. */

import { during, type Phase, type Round, type Soldier } from './model'

/** How long each phase is shown; a phase in which nothing happens is left out. */
const MOVE_MS = 550
const FIRE_MS = 1100

export class Replay {
  round = $state.raw<Round | null>(null)
  phase = $state<Phase>('move')
  #before: Soldier[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Shows a round that began with these soldiers. */
  start(round: Round, before: Soldier[]): void {
    this.stop()
    if (round.shots.length === 0) return // the soldiers glide to their new cells by themselves
    this.round = round
    this.#before = before
    this.phase = 'move'
    this.#timer = setTimeout(() => {
      this.phase = 'fire'
      this.#timer = setTimeout(() => this.stop(), FIRE_MS)
    }, MOVE_MS)
  }

  /** The soldiers in the phase shown; null when nothing is replayed. */
  get soldiers(): Soldier[] | null {
    return this.round && during(this.round, this.#before, this.phase)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.round = null
  }
}
