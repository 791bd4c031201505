/** What the server offers and who the user is: games loaded once, user refreshed with the lobby. */

import { boards } from '../boards'
import { api } from './api'
import { guestName, isDefaultName } from './guestName'
import { i18n } from './i18n.svelte'
import { showError } from './notices.svelte'
import { router } from './router.svelte'
import type { GameInfo, Me, NewTable, SeatRequest } from './apiTypes'

class ServerState {
  games = $state.raw<GameInfo[] | null>(null)
  me = $state.raw<Me | null>(null)
  failed = $state(false)
  /** Table whose invitation opens at once. */
  sharing: string | null = null
  /** Table that this page has just created: a game among computers plays from its first action. */
  created: string | null = null
  /** Record that the next table opens at once. */
  record: { game: string; text: string } | null = null
  /** Rematch that the user is going to. */
  rematch: string | null = null
  #games: Promise<GameInfo[]> | null = null

  /** Games that the server offers and the page can draw, in lobby order. */
  get shown(): GameInfo[] {
    const order = Object.keys(boards)
    return (this.games ?? []).filter((game) => game.id in boards).sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
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
    await this.#greet()
  }

  /** A new guest gets a friendly name in the user's language. */
  async #greet(): Promise<void> {
    const { me } = this
    if (!me || me.account || !isDefaultName(me.guest.name)) return
    await api.rename(guestName(i18n.lang))
    this.me = await api.me()
  }

  async rename(name: string): Promise<void> {
    await api.rename(name)
    await this.refreshMe()
  }

  async game(id: string): Promise<GameInfo | undefined> {
    return (await this.load()).find((game) => game.id === id)
  }

  /** Creates a table and goes there; `share` opens the invitation. */
  async open(request: NewTable, share = false): Promise<boolean> {
    try {
      const { table } = await api.newTable(request)
      this.sharing = share ? table.id : null
      this.created = table.id
      router.go(`/t/${table.id}`)
      return true
    } catch (error) {
      showError(error)
      return false
    }
  }

  /** Starts a game against the default level. */
  async playNow(game: GameInfo): Promise<boolean> {
    const settings = await Promise.resolve(boards[game.id]?.defaultSettings?.(i18n.lang)).catch(() => undefined)
    return this.open({ game: game.id, settings, seats: quickSeats(game), options: { help: true } })
  }
}

/** The user on the first seat, computers on the other required seats. */
export function quickSeats(game: GameInfo): SeatRequest[] {
  const own = boards[game.id]?.quickSeats?.(game)
  if (own) return own
  return Array.from({ length: Math.max(1, game.min_seats) }, (_, seat) => (seat === 0 ? { kind: 'me' as const } : { kind: 'bot' as const, level: game.default_level }))
}

export const server = new ServerState()
