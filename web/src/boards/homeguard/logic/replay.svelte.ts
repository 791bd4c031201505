/** Replays a finished round in two phases: all move, then all fire. */

import { soldiersDuring, type Phase, type Round, type Soldier } from '../model'

/** Duration of each phase; an empty phase is skipped. */
const MOVE_MS = 550
const FIRE_MS = 1100

export class Replay {
  round = $state.raw<Round | null>(null)
  phase = $state<Phase>('move')
  #before: Soldier[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Replays a round that began with these soldiers. */
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

  /** Soldiers in the current phase; null when nothing is replayed. */
  get soldiers(): Soldier[] | null {
    return this.round && soldiersDuring(this.round, this.#before, this.phase)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.round = null
  }
}
