/** Preferences kept in this browser: theme, sounds, board options. */

import type { Tempo } from '../table/director'

export type Theme = 'system' | 'light' | 'dark'

interface Stored {
  theme: Theme
  sounds: boolean
  /** Whether a tap needs confirmation; `auto` means on touch screens only. */
  confirmTaps: 'auto' | 'yes' | 'no'
  /** How fast computers' actions are shown. */
  tempo: Tempo
  /** Board options, by `<game>.<name>`. */
  board: Record<string, boolean>
}

const KEY = 'parlour.prefs'
const DEFAULTS: Stored = { theme: 'system', sounds: false, confirmTaps: 'auto', tempo: 'brisk', board: {} }

function read(): Stored {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Stored>) }
  } catch {
    return { ...DEFAULTS }
  }
}

class Prefs {
  #stored = $state<Stored>(read())

  get theme(): Theme {
    return this.#stored.theme
  }
  set theme(theme: Theme) {
    this.#stored.theme = theme
    this.showTheme()
    this.#save()
  }

  get sounds(): boolean {
    return this.#stored.sounds
  }
  set sounds(on: boolean) {
    this.#stored.sounds = on
    this.#save()
  }

  get confirmTaps(): boolean {
    const choice = this.#stored.confirmTaps
    return choice === 'auto' ? matchMedia('(pointer: coarse)').matches : choice === 'yes'
  }
  set confirmTaps(on: boolean) {
    this.#stored.confirmTaps = on ? 'yes' : 'no'
    this.#save()
  }

  get tempo(): Tempo {
    return this.#stored.tempo
  }
  set tempo(tempo: Tempo) {
    this.#stored.tempo = tempo
    this.#save()
  }

  board(name: string, otherwise: boolean): boolean {
    return this.#stored.board[name] ?? otherwise
  }
  setBoard(name: string, on: boolean): void {
    this.#stored.board[name] = on
    this.#save()
  }

  /** Applies the theme to the document. */
  showTheme(): void {
    if (this.theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = this.theme
  }

  #save(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#stored))
    } catch {
      // Private mode: the choice lasts until the page closes.
    }
  }
}

export const prefs = new Prefs()
