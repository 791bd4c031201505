/** Clock display between two messages of the server. */

import type { ClockState } from '../lib/apiTypes'

/** Remaining milliseconds of a seat, `since` milliseconds after the state arrived; null without a limit. */
export function remainingMs(clock: ClockState, seat: number, since: number): number | null {
  const own = clock.seats[seat]?.left_ms ?? null
  const running = clock.running.includes(seat)
  const elapsed = running ? since : 0
  const game = own === null ? null : own - elapsed
  const limit = clock.seats[seat]?.move_left_ms ?? null
  const move = running && limit !== null ? limit - elapsed : limit
  if (game === null) return move === null ? null : Math.max(0, move)
  return Math.max(0, move === null ? game : Math.min(game, move))
}

/** Formats as `1:05:09` or `4:07`, with tenths in the last ten seconds. */
export function formatClock(ms: number): string {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1)
  const seconds = Math.ceil(ms / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [h, m, s] = parts as [number, number, number]
  const two = (value: number) => String(value).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
