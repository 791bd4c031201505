/** Records from files. */

import type { Lang } from '../../../lib/i18n.svelte'
import { server } from '../../../lib/server.svelte'

/** The text of a record: UTF-8, else Windows-1252. */
export async function readText(file: File): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Opens a table for the record, which takes its place at once. */
export async function openOnTable(file: File, language: Lang): Promise<void> {
  server.record = { game: 'scrabble', text: await readText(file) }
  await server.open({ game: 'scrabble', settings: { language }, seats: [{ kind: 'me' }, { kind: 'me' }], options: { help: true } })
}
