/** Games and positions from files. */

import { api } from '../../../lib/api'
import { t } from '../../../lib/i18n.svelte'
import { router } from '../../../lib/router.svelte'
import type { Imported } from '../services'

/** Parses a record in any supported format; `size` applies to plain notation. */
export async function readRecord(text: string, size = 15): Promise<Imported & { plain: string }> {
  const found = await api.gameService<Imported>('gomoku', 'import', { text, size })
  if (found.plain === null) throw new Error(t('gomoku.import.order'))
  return { ...found, plain: found.plain }
}

/** Opens a table owned by the user and replays the game there, so that it can be stepped through, reviewed and continued. */
export async function openRecord(text: string, size = 15, rule = 'freestyle'): Promise<void> {
  const found = await readRecord(text, size)
  const { table } = await api.newTable({
    game: 'gomoku',
    settings: { size: found.size, rule: found.rule ?? rule },
    seats: [{ kind: 'me' }, { kind: 'me' }],
    options: { help: true },
    moves: found.stones.map(({ x, y }) => ({ action: { type: 'place', x, y } })),
  })
  router.go(`/t/${table.id}`)
}
