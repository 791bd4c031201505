/** The sketch as ipuz text, without a solution. */

import { api } from '../../../lib/api'
import { server } from '../../../lib/server.svelte'
import { showError } from '../../../lib/notices.svelte'
import type { Lang } from '../../../lib/i18n.svelte'
import type { Session } from '../../../table/session.svelte'
import { base64, type Opened, type Printed, type Puzzles } from '../services'
import type { View } from '../model'

const DONE = 'parlour.crossword.done'

/** Puzzle sources (files, generator, shipped library) and the tables opened for them. */
export async function readFile(file: File, language: string): Promise<Opened> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return api.gameService<Opened>('crossword', 'open', { base64: base64(bytes), lang: language || 'en' })
}

/** Reads a puzzle file in any supported format. */
export async function openFile(file: File, language: string): Promise<void> {
  try {
    const opened = await readFile(file, language)
    await openTable({ file: opened.file })
  } catch (error) {
    showError(error)
  }
}

export function openTable(settings: { puzzle: string } | { file: string }): Promise<boolean> {
  return server.open({ game: 'crossword', settings, seats: [{ kind: 'me' }], options: { help: true } })
}

/** Keeps the puzzle as a file for paper, empty or with the letters that stand in it. */
export async function printed(session: Session<View>, format: 'pdf' | 'svg', letters: boolean): Promise<void> {
  try {
    const file = await session.service<Printed>('print', { format, letters })
    const bytes = Uint8Array.from(atob(file.base64), (c) => c.charCodeAt(0))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([bytes], { type: file.media }))
    link.download = `${session.table.view.title.replace(/[^\p{L}\p{N} -]/gu, '').trim() || 'crossword'}.${format}`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  } catch (error) {
    showError(error)
  }
}

/** Downloads the puzzle for printing, empty or with the letters filled in. */
export function finished(): string[] {
  try {
    const list = JSON.parse(localStorage.getItem(DONE) ?? '[]') as unknown
    return Array.isArray(list) ? list.filter((id): id is string => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function remember(id: string): void {
  try {
    localStorage.setItem(DONE, JSON.stringify([...new Set([...finished(), id])]))
  } catch {
    // Shipped puzzles this browser has finished.
  }
}

/** The first shipped puzzle in the reader's language that is not finished yet; Slovaks are offered Czech ones first. */
export async function quickSettings(lang: Lang): Promise<Record<string, unknown>> {
  const { puzzles } = await api.gameService<Puzzles>('crossword', 'puzzles', {})
  const done = new Set(finished())
  for (const wanted of [lang, ...(lang === 'sk' ? ['cs'] : []), 'en']) {
    const there = puzzles.filter(({ language }) => language === wanted).sort((a, b) => a.difficulty - b.difficulty || a.id.localeCompare(b.id))
    const next = there.find(({ id }) => !done.has(id)) ?? there[0]
    if (next) return { puzzle: next.id }
  }
  return puzzles[0] ? { puzzle: puzzles[0].id } : {}
}
