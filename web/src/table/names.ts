/** Translated names of seats and players. */

import { t, tOr } from '../lib/i18n.svelte'
import type { GameInfo, SeatInfo } from '../lib/apiTypes'
import type { AnySession } from './session.svelte'

/** Translated name of a level. */
export function levelName(info: GameInfo | undefined, game: string, level: string): string {
  return tOr(`${game}.level.${level}`, info?.levels.find(({ id }) => id === level)?.name ?? level)
}

/** Name of a seat's occupant: you, a name, the computer's level, or open. */
export function playerName(seat: SeatInfo, game: string, info?: GameInfo): string {
  if (seat.kind === 'open') return t('seat.open')
  if (seat.kind === 'bot') return t('seat.bot', { level: levelName(info, game, seat.level ?? '') })
  if (seat.me) return t('seat.you')
  return seat.player?.name || t('seat.person')
}

/** Short form: a level without the word computer. */
export function shortName(seat: SeatInfo, game: string, info?: GameInfo): string {
  return seat.kind === 'bot' ? levelName(info, game, seat.level ?? '') : playerName(seat, game, info)
}

/** Translated role of a seat, such as Black. */
export function roleName(session: AnySession, seat: number): string {
  return tOr(`${session.table.game}.seat.${session.role(seat)}`, t('seat.number', { n: seat + 1 }))
}

/** One sentence on the result, for the viewer. */
export function resultText(session: AnySession): string {
  const own = session.module.result?.(session)
  if (own) return own
  const { outcome, seats, game } = session.table
  if (!outcome) return t('result.none')
  const reason = tOr(`${game}.reason.${outcome.reason}`, tOr(`reason.${outcome.reason}`, ''))
  const mine = session.mySeats
  const winners = outcome.results.flatMap((result, seat) => (result === 'won' ? [seat] : []))
  let text: string
  if (winners.length === 0) text = t('result.draw')
  else if (mine.length === 1) text = winners.includes(mine[0]!) ? t('result.won') : t('result.lost')
  else text = t('result.winner', { name: winners.map((seat) => roleName(session, seat)).join(', ') })
  if (outcome.scores.length === seats.length && seats.length > 1) text += ` ${outcome.scores.join(' : ')}`
  return reason ? `${text} ${reason}` : text
}
