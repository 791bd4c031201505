/** Puzzle sources (files, generator, shipped library) and the tables opened for them. */

import { api } from '../../../lib/api'
import { server } from '../../../lib/server.svelte'
import { showError } from '../../../lib/notices.svelte'
import { i18n, type Lang } from '../../../lib/i18n.svelte'
import type { Session } from '../../../table/session.svelte'
import { base64, type Opened, type Printed, type Puzzles } from '../services'
import type { View } from '../model'

const DONE = 'parlour.crossword.done'

/** Reads a puzzle file in any supported format. */
export async function readFile(file: File, language: string): Promise<Opened> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return api.gameService<Opened>('crossword', 'open', { base64: base64(bytes), lang: language || 'en' })
}

/** Opens a table for a puzzle from a file. */
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

/** Downloads the puzzle for printing, empty or with the letters filled in. */
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

/** Storage key of a table's solving time. */
export const secondsKey = (table: string): string => `parlour.crossword.seconds.${table}`

/** Seconds this browser spent on a table's puzzle. */
export function secondsOf(table: string): number {
  try {
    return Number(localStorage.getItem(secondsKey(table))) || 0
  } catch {
    return 0
  }
}

/** Opens the next unfinished puzzle in the user's language. */
export async function openNext(): Promise<void> {
  try {
    const settings = await quickSettings(i18n.lang)
    if (typeof settings.puzzle === 'string') await openTable({ puzzle: settings.puzzle })
  } catch (error) {
    showError(error)
  }
}

/** Shipped puzzles this browser has finished. */
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
    // Private mode: the puzzle will be offered again.
  }
}

/** The first unfinished shipped puzzle in the user's language; Slovak falls back to Czech, then English. */
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
