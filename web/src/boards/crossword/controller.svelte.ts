/** State shared by the grid, the clues and the tools: cursor, pending edits, hints, timer. */

import { untrack } from 'svelte'
import { ApiError } from '../../lib/api'
import { t, tOr } from '../../lib/i18n.svelte'
import { showError, notices } from '../../lib/notices.svelte'
import { prefs } from '../../lib/prefs.svelte'
import type { Session } from '../../table/session.svelte'
import type { Controller } from '../types'
import {
  advance,
  arrow,
  batches,
  currentEntry,
  enter,
  lettersAt,
  nextEntry,
  other,
  progress,
  readLetters,
  retreat,
  start,
  editable,
  type Action,
  type Clue,
  type Cursor,
  type Direction,
  type Hint,
  type HintStep,
  type Scope,
  type View,
} from './model'
import { secondsKey, secondsOf } from './logic/puzzles'
import { SolverState } from './logic/solver.svelte'
import type { HintAnswer } from './services'

interface Edit {
  letters: string | null
  pencil: boolean
}

const STEPS: HintStep[] = ['nudge', 'pattern', 'definition']
const ARROWS: Record<string, [Direction, 1 | -1]> = { ArrowLeft: ['across', -1], ArrowRight: ['across', 1], ArrowUp: ['down', -1], ArrowDown: ['down', 1] }

export class CrosswordController implements Controller {
  readonly session: Session<View>
  readonly solver: SolverState
  cursor = $state.raw<Cursor>({ cell: 0, direction: 'across' })
  /** Edits that are shown at once and not confirmed yet. */
  edits = $state.raw<Map<number, Edit>>(new Map())
  pencil = $state(false)
  /** Input for several letters in one cell (rebus); null while closed. */
  rebus = $state<string | null>(null)
  /** Hints computed by the solver, for puzzles without a solution. */
  guesses = $state.raw<Hint[]>([])
  seconds = $state(0)
  /** Whether Tab leaves the grid; set by Escape. */
  leaving = $state(false)
  #unsent = new Set<number>()
  #flushing = false
  #inFlight: { ply: number; cells: [number, Edit][] }[] = []
  #stopEffects: () => void
  #tick: ReturnType<typeof setInterval>

  constructor(session: Session<View>) {
    this.session = session
    this.solver = new SolverState(this)
    this.cursor = start(session.table.view)
    this.seconds = secondsOf(session.table.id)
    this.#tick = setInterval(() => this.#count(), 1000)
    this.#stopEffects = $effect.root(() => {
      $effect(() => this.#dropConfirmedEdits())
      $effect(() => this.session.sendPresence({ cell: this.cursor.cell, direction: this.cursor.direction }))
    })
  }

  get view(): View {
    return this.session.table.view
  }
  get writing(): boolean {
    return this.session.myTurn !== null && this.session.live
  }
  get entry(): number | null {
    return currentEntry(this.view, this.cursor)
  }
  get clue(): Clue | null {
    return this.entry === null ? null : (this.view.clues[this.entry] ?? null)
  }
  get progress() {
    return progress(this.view, this.edits)
  }
  get timer(): boolean {
    return prefs.board('crossword.timer', true)
  }
  /** Hints given for the current entry, oldest first. */
  get hints(): Hint[] {
    const { entry } = this
    return [...this.view.hints, ...this.guesses].filter((hint) => hint.entry === entry)
  }

  letters(cell: number): string | null {
    return lettersAt(this.view, this.edits, cell)
  }
  pencilled(cell: number): boolean {
    return this.edits.get(cell)?.pencil ?? this.view.cells[cell]?.pencil ?? false
  }

  /** Name of an entry, such as `14 across`. */
  name(clue: Clue): string {
    return t(`crossword.name.${clue.direction}`, { label: clue.label })
  }

  #count(): void {
    if (this.session.table.state !== 'running' || document.visibilityState !== 'visible') return
    this.seconds++
    try {
      localStorage.setItem(secondsKey(this.session.table.id), String(this.seconds))
    } catch {
      // Private mode: the timer restarts with the page.
    }
  }

  /** Moves the cursor and announces the clue when the entry changes. */
  go(cursor: Cursor): void {
    const before = this.entry
    this.cursor = cursor
    this.rebus = null
    this.leaving = false
    if (this.entry !== before && this.clue) this.session.announce(`${this.name(this.clue)}: ${this.clue.clue}`)
  }

  /** A click on the current cell changes direction, on another cell moves there. */
  tap(cell: number): void {
    if (this.view.cells[cell]?.kind !== 'open') return
    if (cell === this.cursor.cell) this.turn()
    else this.go({ cell, direction: this.cursor.direction })
  }
  turn(): void {
    this.go({ ...this.cursor, direction: other(this.cursor.direction) })
  }
  enter(entry: number): void {
    this.go(enter(this.view, this.edits, entry))
  }
  step(by: 1 | -1, open = false): void {
    if (this.entry !== null) this.enter(nextEntry(this.view, this.edits, this.entry, by, open))
  }

  /** Writes letters into the current cell and advances the cursor. */
  write(text: string): boolean {
    const letters = readLetters(text)
    if (!letters || !this.writing) return false
    this.solver.stopReplay()
    const { cell } = this.cursor
    if (editable(this.view, cell)) this.#put(cell, { letters, pencil: this.pencil })
    this.go(advance(this.view, this.edits, this.cursor))
    return true
  }

  erase(back: boolean): void {
    if (!this.writing) return
    if (back && this.letters(this.cursor.cell) === null) this.go(retreat(this.view, this.cursor))
    const { cell } = this.cursor
    if (editable(this.view, cell) && this.letters(cell) !== null) this.#put(cell, { letters: null, pencil: false })
  }

  #put(cell: number, written: Edit): void {
    this.edits = new Map(this.edits).set(cell, written)
    this.#unsent.add(cell)
    void this.#flush()
  }

  /** Sends pending edits in order, one batch at a time. */
  async #flush(): Promise<void> {
    if (this.#flushing) return
    this.#flushing = true
    try {
      while (this.#unsent.size) {
        const batch = new Map([...this.#unsent].map((cell) => [cell, this.edits.get(cell)!]))
        this.#unsent.clear()
        for (const action of batches(batch)) await this.#send(action, batch)
      }
    } finally {
      this.#flushing = false
    }
  }

  async #send(action: Action, batch: Map<number, Edit>): Promise<void> {
    const touched = action.do === 'fill' ? action.cells.map(({ cell }) => cell) : 'cell' in action ? [action.cell] : []
    const cells = touched.map((cell): [number, Edit] => [cell, batch.get(cell)!])
    const ply = await this.session.send(action, refused)
    this.#inFlight.push({ ply: ply ?? 0, cells })
    this.#dropConfirmedEdits()
  }

  /** Drops edits that the newest table contains, unless they changed meanwhile. */
  #dropConfirmedEdits(): void {
    const { ply } = this.session.table
    untrack(() => {
      const done = this.#inFlight.filter((batch) => batch.ply <= ply)
      if (!done.length) return
      this.#inFlight = this.#inFlight.filter((batch) => batch.ply > ply)
      const edits = new Map(this.edits)
      for (const [cell, written] of done.flatMap(({ cells }) => cells)) if (edits.get(cell) === written) edits.delete(cell)
      this.edits = edits
    })
  }

  /** Writes the solver's letters into several cells. */
  async fill(cells: { cell: number; letters: string }[], pencil: boolean): Promise<void> {
    if (cells.length) await this.session.send({ do: 'fill', cells, pencil } satisfies Action)
  }

  scope(kind: Scope['scope']): Scope | null {
    if (kind === 'grid') return { scope: 'grid' }
    if (kind === 'letter') return { scope: 'letter', cell: this.cursor.cell }
    return this.entry === null ? null : { scope: 'word', entry: this.entry }
  }

  async help(task: 'check' | 'reveal', kind: Scope['scope']): Promise<void> {
    const scope = this.scope(kind)
    if (!scope) return
    const sent = await this.session.send({ do: task, ...scope } satisfies Action, refused)
    if (sent === null || task !== 'check') return
    await this.session.refresh().catch(() => {})
    const cells = scope.scope === 'letter' ? [scope.cell] : scope.scope === 'word' ? this.view.clues[scope.entry]!.cells : [...this.view.cells.keys()]
    const wrong = cells.filter((cell) => this.view.cells[cell]!.wrong).length
    notices.show('info', wrong ? t('crossword.check.wrong', { n: wrong }) : t('crossword.check.right'))
  }

  finish = async (): Promise<void> => {
    await this.session.send({ do: 'finish' } satisfies Action)
  }

  /** Next hint step for the current entry. */
  get nextHint(): HintStep | 'letter' | 'word' {
    const taken = new Set(this.hints.map(({ step }) => step))
    return STEPS.find((step) => !taken.has(step)) ?? 'letter'
  }

  /** Hints escalate: nudge, pattern, definition, then letters. */
  hint = async (): Promise<void> => {
    const { entry, nextHint } = this
    if (entry === null) return
    if (nextHint === 'letter' || nextHint === 'word') return this.#hintLetter(entry)
    if (this.view.checkable) {
      await this.session.send({ do: 'hint', entry, step: nextHint } satisfies Action)
      await this.session.refresh().catch(() => {})
    } else {
      const { hint } = await this.session.service<HintAnswer>('hint', { entry, step: nextHint })
      this.guesses = [...this.guesses, hint]
    }
    const told = this.hints.at(-1)
    if (told) this.session.announce(hintText(told).join('. '))
  }

  /** Reveals one letter of the entry: the current cell if empty or wrong, else the first such cell. */
  async #hintLetter(entry: number): Promise<void> {
    const { cells } = this.view.clues[entry]!
    const missing = (cell: number) => editable(this.view, cell) && (this.letters(cell) === null || this.view.cells[cell]!.wrong)
    const cell = cells.includes(this.cursor.cell) && missing(this.cursor.cell) ? this.cursor.cell : cells.find(missing)
    if (cell === undefined) return
    this.go({ cell, direction: this.view.clues[entry]!.direction })
    if (this.view.checkable) await this.session.send({ do: 'reveal', scope: 'letter', cell } satisfies Action, refused)
    else await this.solver.writeLetter(cell)
  }

  key = (event: KeyboardEvent): boolean => {
    const target = event.target as HTMLElement
    const onControl = target.closest('button, a, summary, [role="slider"]') !== null
    const inGrid = target.closest('[role="grid"]') !== null
    const way = ARROWS[event.key]
    if (way && !onControl) this.go(arrow(this.view, this.cursor, ...way))
    else if (event.key === 'Tab' && inGrid && !this.leaving) this.step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape' && inGrid) this.leaving = true
    else if ((event.key === ' ' || event.key === 'Enter') && !onControl) this.turn()
    else if (event.key === 'Backspace') this.erase(true)
    else if (event.key === 'Delete') this.erase(false)
    else if (event.key === 'Insert') this.rebus = this.rebus === null ? (this.letters(this.cursor.cell) ?? '') : null
    else if (event.key === '.') this.pencil = !this.pencil
    else if ((event.key === 'Home' || event.key === 'End') && !onControl && this.clue) this.go({ ...this.cursor, cell: this.clue.cells.at(event.key === 'Home' ? 0 : -1)! })
    else if ([...event.key].length === 1 && event.key !== ' ') return this.write(event.key) || '[]{}'.includes(event.key)
    else return false
    return true
  }

  stop = (): void => {
    this.#stopEffects()
    clearInterval(this.#tick)
    this.solver.stop()
  }
}

/** `crossword.nothing` means there was nothing to do; it needs no message. */
function refused(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'crossword.nothing')) showError(error)
}

/** A hint as translated lines. */
export function hintText(hint: Hint): string[] {
  const note = (name: string) => {
    const words = /^words_(\d+)$/.exec(name)
    return words ? t('crossword.note.words', { n: Number(words[1]) }) : tOr(`crossword.note.${name}`, name)
  }
  return [...hint.notes.map(note), ...(hint.pattern ? [t('crossword.hint.pattern', { pattern: [...hint.pattern].join(' ') })] : []), ...hint.lines]
}
