/** What the house offers and who I am: loaded once, refreshed when the lobby opens. */

import { boards } from '../boards'
import { api } from './api'
import { i18n } from './i18n.svelte'
import { complain } from './notices.svelte'
import { router } from './router.svelte'
import type { GameInfo, Me, NewTable, SeatRequest } from './types'

class House {
  games = $state.raw<GameInfo[] | null>(null)
  me = $state.raw<Me | null>(null)
  failed = $state(false)
  /** A table that was made for friends who do not have its link yet. */
  sharing: string | null = null
  #games: Promise<GameInfo[]> | null = null

  /** Games that the server offers and the page can draw, in the lobby's order. */
  get shown(): GameInfo[] {
    const order = Object.keys(boards)
    return (this.games ?? [])
      .filter((game) => game.id in boards)
      .sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  }

  async load(): Promise<GameInfo[]> {
    this.#games ??= api.games()
    try {
      this.games = await this.#games
      this.failed = false
      return this.games
    } catch (error) {
      this.#games = null
      this.failed = true
      throw error
    }
  }

  async refreshMe(): Promise<void> {
    this.me = await api.me()
  }

  async rename(name: string): Promise<void> {
    await api.rename(name)
    await this.refreshMe()
  }

  async game(id: string): Promise<GameInfo | undefined> {
    return (await this.load()).find((game) => game.id === id)
  }

  /** Makes a table and goes there; `share` offers its link at once. */
  async open(request: NewTable, share = false): Promise<boolean> {
    try {
      const { table } = await api.newTable(request)
      this.sharing = share ? table.id : null
      router.go(`/t/${table.id}`)
      return true
    } catch (error) {
      complain(error)
      return false
    }
  }

  /** Starts at once against a sensible level. */
  async playNow(game: GameInfo): Promise<boolean> {
    const settings = await Promise.resolve(boards[game.id]?.settingsFor?.(i18n.lang)).catch(() => undefined)
    return this.open({ game: game.id, settings, seats: quickSeats(game), options: { help: true } })
  }
}

/** Me on the first seat, computers on the others that the game needs. */
export function quickSeats(game: GameInfo): SeatRequest[] {
  const own = boards[game.id]?.quick?.(game)
  if (own) return own
  return Array.from({ length: Math.max(1, game.min_seats) }, (_, seat) =>
    seat === 0 ? { kind: 'me' as const } : { kind: 'bot' as const, level: game.default_level },
  )
}

export const house = new House()
