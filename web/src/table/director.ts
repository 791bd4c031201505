/**
 * The director shows what computers do one action at a time. The server's log is instant; the director decides when the
 * page shows each position. It is a pure queue of plies: it knows neither tables nor the DOM.
 */

export type Tempo = 'relaxed' | 'brisk' | 'instant'

export const TEMPOS: readonly Tempo[] = ['relaxed', 'brisk', 'instant']

/** Multiplier of the beats. */
export const TEMPO_FACTOR: Record<Tempo, number> = { relaxed: 1.8, brisk: 1, instant: 0 }

/** With more actions waiting than this, the director shortens the beats. */
const BACKLOG = 6
/** Shortest beat while catching up, in milliseconds. */
const CATCH_UP_MS = 90
/** With more actions waiting than this after a gap, the director jumps to the newest position. */
const JUMP = 40

export interface DirectorOptions {
  /** Milliseconds to wait between position `ply - 1` and position `ply` at tempo `brisk`; 0 shows it at once. */
  beat: (ply: number) => number
  tempo: () => Tempo
  /** Shows the position after `ply` actions. */
  show: (ply: number) => void
  now?: () => number
}

export class Director {
  #options: DirectorOptions
  #shown: number
  #newest: number
  /** When the shown position appeared. */
  #since: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #paused = false
  /** Whether a whole game is played in front of the viewer; its beats are never shortened. */
  #replaying = false

  constructor(ply: number, options: DirectorOptions) {
    this.#options = options
    this.#shown = this.#newest = ply
    this.#since = this.#now()
  }

  get shown(): number {
    return this.#shown
  }

  /** Number of actions that are known and not shown yet. */
  get waiting(): number {
    return this.#newest - this.#shown
  }

  get paused(): boolean {
    return this.#paused
  }

  /** A newer position exists. Fewer actions than before mean an undo: it is shown at once. */
  arrive(ply: number): void {
    const undone = ply < this.#newest
    this.#newest = ply
    if (undone || ply < this.#shown) this.skip()
    else this.#advance()
  }

  /** Starts again from an earlier position, to play a game in front of the viewer. */
  replayFrom(ply: number): void {
    this.#shown = Math.min(ply, this.#newest)
    this.#replaying = true
    this.#since = this.#now()
    this.#options.show(this.#shown)
    this.#advance()
  }

  /** Shows the newest position at once. */
  skip(): void {
    clearTimeout(this.#timer)
    this.#paused = false
    this.#display(this.#newest)
  }

  pause(paused: boolean): void {
    this.#paused = paused
    clearTimeout(this.#timer)
    if (!paused) this.#advance()
  }

  /** The page was hidden or disconnected: a long backlog is skipped, a short one is shown quickly. */
  wake(): void {
    if (this.waiting > JUMP) this.skip()
    else this.#advance()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now()
  }

  /** Milliseconds until the next position is due. */
  #due(): number {
    const factor = TEMPO_FACTOR[this.#options.tempo()]
    const beat = this.#options.beat(this.#shown + 1) * factor
    const shortened = !this.#replaying && this.waiting > BACKLOG && beat > 0 ? Math.max(CATCH_UP_MS, beat / 2) : beat
    return this.#since + shortened - this.#now()
  }

  #advance(): void {
    clearTimeout(this.#timer)
    if (this.#options.tempo() === 'instant') {
      if (this.waiting > 0) this.skip()
      return
    }
    while (this.waiting > 0 && !this.#paused) {
      const wait = this.#due()
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#advance(), wait)
        return
      }
      this.#display(this.#shown + 1)
    }
  }

  #display(ply: number): void {
    if (ply === this.#shown) return
    this.#shown = ply
    this.#since = this.#now()
    if (this.waiting === 0) this.#replaying = false
    this.#options.show(ply)
  }
}
