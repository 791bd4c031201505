/** State shared by board, rack and tools: placed tiles, cursor, exchange, the move sent to the server. */

import { untrack } from 'svelte'
import { ApiError } from '../../lib/api'
import { t } from '../../lib/i18n.svelte'
import { showError, errorText } from '../../lib/notices.svelte'
import { prefs } from '../../lib/prefs.svelte'
import { server } from '../../lib/server.svelte'
import { play as sound } from '../../lib/sound'
import type { Session } from '../../table/session.svelte'
import type { Controller, ReviewData } from '../types'
import { Advice } from './logic/advice.svelte'
import {
  BLANK,
  inside,
  nextFree,
  other,
  placedAt,
  readAt,
  readMove,
  same,
  step,
  tentative,
  tileAt,
  letterValue,
  notate,
  type Action,
  type Direction,
  type Placed,
  type Square,
  type View,
} from './model'
import { updateRack, moved, otherAccent, shuffled, sorted, typed, type RackTile } from './logic/rack'
import { RecordReader } from './logic/record.svelte'
import type { Check } from './services'

/** Delay after the last change before the lexicon checks the words. */
const CHECK_DELAY_MS = 140

export class ScrabbleController implements Controller {
  readonly session: Session<View>
  readonly record: RecordReader
  readonly advice: Advice
  /** My tiles in my order, including placed ones. */
  tiles = $state.raw<RackTile[]>([])
  placed = $state.raw<Placed[]>([])
  /** Square of the next tile. */
  cursor = $state.raw<Square | null>(null)
  direction = $state<Direction>('across')
  /** Tile picked up by a tap. */
  picked = $state<number | null>(null)
  /** Placed blank whose letter is being chosen. */
  namingBlank = $state.raw<Placed | null>(null)
  /** Tiles to exchange; null when not exchanging. */
  exchanging = $state.raw<number[] | null>(null)
  /** Typed characters that may become a multi-character letter. */
  pending = $state('')
  checked = $state.raw<{ key: string; answer: Check } | null>(null)
  /** Why the last move was refused; cleared by the next change. */
  refusal = $state<string | null>(null)
  /** Number of refusals; each one restarts the shake animation. */
  refusals = $state(0)
  /** Whether the board is zoomed around the cursor, on narrow screens. */
  zoomed = $state(false)
  #typedLast = -1
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopEffects: () => void

  constructor(session: Session<View>) {
    this.session = session
    this.record = new RecordReader(session)
    this.advice = new Advice(this)
    this.tiles = updateRack([], session.table.view.rack ?? [])
    this.#stopEffects = $effect.root(() => {
      $effect(() => this.#startTurn())
      $effect(() => this.#checkWords())
    })
    if (server.record?.game === 'scrabble') {
      void this.record.open(session.table.view.language, server.record.text)
      server.record = null
    } else if (session.table.state === 'over') void this.record.load()
    session.onChange((before, now) => {
      if (before.state !== 'over' && now.state === 'over') void this.record.load(true)
    })
  }

  get replacing(): string | null {
    const { imported, report } = this.record
    return imported && report ? t('scrabble.record.of', { names: report.players.filter(Boolean).join(' – ') }) : null
  }

  get view(): View {
    return this.session.view
  }
  get seat(): number {
    return this.session.mySeats[0] ?? 0
  }
  /** Whether tiles may be moved: in the newest position, also while others think. */
  get arranging(): boolean {
    return this.session.live && this.session.table.state === 'running' && this.view.rack !== null && this.record.turn === null
  }
  /** Tiles on the rack, in my order. */
  get free(): RackTile[] {
    return this.tiles.filter(({ id }) => !this.placed.some((tile) => tile.id === id))
  }
  get alphabet(): string[] {
    return this.session.table.view.letters.map(({ letter }) => letter).filter((letter) => letter !== BLANK)
  }
  /** The placed tiles as a move. */
  get move() {
    return tentative(this.session.table.view, this.placed, this.direction)
  }
  /** Whether the lexicon may be asked: not where opponents must challenge wrong words. */
  get judging(): boolean {
    return this.session.helpAllowed && this.view.challenge === 'void'
  }
  /** The lexicon's answer for the placed words. */
  get verdict(): Check | null {
    const { move } = this
    return move && this.checked?.key === this.#key(move.at, move.word) ? this.checked.answer : null
  }
  get coordinates(): boolean {
    return prefs.board('scrabble.coordinates', true)
  }

  #key(at: string, word: string): string {
    return `${this.session.table.ply} ${at} ${word}`
  }

  /** After each action: updates the rack, returns tiles whose squares were taken, clears old advice. */
  #startTurn(): void {
    const { view, ply } = this.session.table
    void ply
    untrack(() => {
      this.tiles = updateRack(this.tiles, view.rack ?? [])
      this.placed = this.placed.filter((tile) => this.tiles.some(({ id }) => id === tile.id) && !tileAt(view, tile))
      if (this.cursor && tileAt(view, this.cursor)) this.cursor = null
      this.advice.forget()
      this.exchanging = null
      this.picked = null
      this.refusal = null
    })
  }

  /** Checks the placed words after a pause. */
  #checkWords(): void {
    const { move, judging } = this
    clearTimeout(this.#timer)
    if (!move || move.problem || !judging || this.session.myTurn === null) return
    const key = this.#key(move.at, move.word)
    if (this.checked?.key === key) return
    this.#timer = setTimeout(() => {
      this.session.service<Check>('check', { at: move.at, word: move.word }).then(
        (answer) => (this.checked = { key, answer }),
        () => {},
      )
    }, CHECK_DELAY_MS)
  }

  /** A click on a square: places the picked tile, takes one back, or moves or turns the cursor. */
  tap(at: Square): void {
    if (!this.arranging) return
    this.pending = ''
    const lying = placedAt(this.placed, at)
    if (lying) {
      this.takeBack(lying.id)
      this.cursor = at
      return
    }
    if (tileAt(this.view, at)) {
      this.picked = null
      return
    }
    if (this.picked !== null) {
      const id = this.picked
      this.picked = null
      this.lay(id, at)
      return
    }
    if (same(this.cursor, at)) this.turn()
    else this.cursor = at
  }

  turn(): void {
    this.direction = other(this.direction)
    this.session.announce(t(`scrabble.${this.direction}`))
  }

  /** A click on a rack tile: places it at the cursor, else picks it up. */
  tapTile(id: number): void {
    if (this.exchanging) {
      this.exchanging = this.exchanging.includes(id) ? this.exchanging.filter((given) => given !== id) : [...this.exchanging, id]
      return
    }
    if (!this.arranging) return
    if (this.cursor && this.picked === null) this.lay(id, this.cursor, true)
    else this.picked = this.picked === id ? null : id
  }

  /** Places a tile on a free square; opens the dialog for an unnamed blank. */
  lay(id: number, at: Square, advance = false, letter?: string): boolean {
    const tile = this.tiles.find((tile) => tile.id === id)
    const before = this.placed.find((tile) => tile.id === id)
    const view = this.session.table.view
    const there = placedAt(this.placed, at)
    if (!tile || !this.arranging || !inside(view, at) || tileAt(view, at) || (there && there.id !== id)) return false
    const blank = tile.letter === BLANK
    const named = blank ? (letter ?? before?.letter ?? BLANK) : tile.letter
    const laid: Placed = { id, ...at, letter: named, value: blank ? 0 : letterValue(view, tile.letter), blank }
    this.placed = [...this.placed.filter((tile) => tile.id !== id), laid]
    this.picked = null
    this.refusal = null
    if (named === BLANK) this.namingBlank = laid
    if (this.placed.length === 2) this.#settleDirection()
    if (advance) this.cursor = nextFree(view, this.placed, step(at, this.direction), this.direction) ?? this.cursor
    return true
  }

  /** Two tiles in one line set the direction. */
  #settleDirection(): void {
    const [a, b] = this.placed as [Placed, Placed]
    if (a.row === b.row && a.col !== b.col) this.direction = 'across'
    else if (a.col === b.col && a.row !== b.row) this.direction = 'down'
  }

  nameBlank(letter: string): void {
    const blank = this.namingBlank
    this.namingBlank = null
    if (blank) this.placed = this.placed.map((tile) => (tile.id === blank.id ? { ...tile, letter } : tile))
  }

  /** Closing the dialog without a letter returns the blank to the rack. */
  forgetBlank(): void {
    const blank = this.namingBlank
    this.namingBlank = null
    if (blank && this.placed.find(({ id }) => id === blank.id)?.letter === BLANK) this.takeBack(blank.id)
  }

  takeBack(id: number): void {
    this.placed = this.placed.filter((tile) => tile.id !== id)
    this.refusal = null
  }

  clear(): void {
    this.placed = []
    this.picked = null
    this.pending = ''
    this.refusal = null
    this.zoomed = false
  }

  arrange(id: number, to: number): void {
    this.takeBack(id)
    this.tiles = moved(this.tiles, id, to)
  }
  shuffle(): void {
    this.tiles = shuffled(this.tiles)
    this.session.announce(this.free.map(({ letter }) => letter).join(' '))
  }
  sort(): void {
    this.tiles = sorted(this.tiles, this.alphabet)
    this.session.announce(this.free.map(({ letter }) => letter).join(' '))
  }

  /** Types one character at the cursor. */
  type(key: string): boolean {
    if (!this.arranging || this.exchanging || [...key].length !== 1) return false
    this.cursor ??= this.#startCursor()
    if (!this.cursor) return false
    const { free, alphabet } = this
    if (key === "'" || key === 'ˇ' || key === '´') return this.#cycleAccent()
    if (!/\p{L}/u.test(key)) return false
    const last = this.placed.find(({ id }) => id === this.#typedLast)
    if (last && !free.some(({ letter }) => letter === key.toUpperCase())) {
      // C then H, where only the tile CH is left.
      const longer = free.find(({ letter }) => letter === (last.letter + key).toUpperCase())
      if (longer) return this.#replace(last, longer)
    }
    const meant = typed(this.pending, key, free, alphabet)
    this.pending = meant.pending
    if (meant.tile) {
      this.#typedLast = meant.tile.id
      this.lay(meant.tile.id, this.cursor, true, meant.letter)
    } else if (!meant.pending) {
      sound('no')
      this.session.announce(t('scrabble.no_tile', { letter: key.toUpperCase() }))
    }
    return true
  }

  #startCursor(): Square | null {
    const { view } = this.session.table
    const start = view.squares.findIndex((row) => row.includes('#'))
    return nextFree(view, this.placed, { row: start, col: view.squares[start]?.indexOf('#') ?? 0 }, 'across')
  }

  #replace(last: Placed, tile: RackTile): boolean {
    this.placed = this.placed.filter(({ id }) => id !== last.id)
    this.#typedLast = tile.id
    return this.lay(tile.id, last)
  }

  #cycleAccent(): boolean {
    const last = this.placed.find(({ id }) => id === this.#typedLast)
    const tile = last && otherAccent(last.letter, this.free, this.alphabet)
    return tile ? this.#replace(last, tile) : false
  }

  /** Backspace: takes back the last tile before the cursor. */
  backspace(): void {
    if (this.pending) {
      this.pending = ''
      return
    }
    const behind = this.cursor && this.placed.find((tile) => same(tile, this.#before(this.cursor!)))
    const last = behind ?? this.placed.at(-1)
    if (!last) return
    this.takeBack(last.id)
    this.cursor = { row: last.row, col: last.col }
  }

  /** Nearest square before the cursor without a board tile. */
  #before(at: Square): Square {
    let here = step(at, this.direction, -1)
    while (tileAt(this.view, here)) here = step(here, this.direction, -1)
    return here
  }

  async play(): Promise<void> {
    const { move } = this
    if (!move || this.session.acting === null) return
    if (move.problem) return this.#refuse(t(`scrabble.problem.${move.problem}`))
    const wrong = this.verdict?.words.filter(({ valid }) => !valid).map(({ word }) => word) ?? []
    if (wrong.length) return this.#refuse(this.#notWords(wrong))
    await this.#act({ type: 'play', at: move.at, word: move.word })
  }

  #notWords(words: string[]): string {
    return t('scrabble.not_words', { n: words.length, words: words.join(', ') })
  }

  #refuse(why: string): void {
    this.refusal = why
    this.refusals++
    sound('no')
    this.session.announce(why)
  }

  async #act(action: Action): Promise<void> {
    const done = await this.session.act(action, (error) => {
      if (!(error instanceof ApiError) || !error.code.startsWith('scrabble.')) return showError(error)
      // The server's message starts with the words.
      const words = error.code === 'scrabble.not_a_word' ? error.message.split(' is not in ')[0]!.split(', ') : null
      this.#refuse(words ? this.#notWords(words) : errorText(error))
    })
    if (!done) return
    this.placed = []
    this.cursor = null
    this.zoomed = false
    this.exchanging = null
  }

  pass = (): Promise<void> => this.#act({ type: 'pass' })
  challenge = (): Promise<void> => this.#act({ type: 'challenge' })
  accept = (): Promise<void> => this.#act({ type: 'accept' })

  startExchange(): void {
    this.clear()
    this.cursor = null
    this.exchanging = []
  }
  async exchange(): Promise<void> {
    if (!this.exchanging?.length) return
    const letters = this.tiles.filter(({ id }) => this.exchanging!.includes(id)).map(({ letter }) => notate(letter, false))
    await this.#act({ type: 'exchange', tiles: letters.join('') })
  }

  /** Places a proposed move with the tiles of my rack. */
  layMove(at: string, word: string): void {
    if (!this.arranging) return
    this.clear()
    const { view } = this.session.table
    this.direction = readAt(at)?.direction ?? this.direction
    for (const { row, col, letter, blank } of readMove(view, at, word)) {
      const tile = this.free.find((tile) => tile.letter === (blank ? BLANK : letter))
      if (tile) this.lay(tile.id, { row, col }, false, letter)
    }
    this.cursor = null
  }

  hint = (): Promise<void> => this.advice.hint()

  review = (progress: (done: number) => void): Promise<ReviewData> => this.record.review(progress)

  /** Typed letters and commands, unless a focused control needs the key. */
  key = (event: KeyboardEvent): boolean => {
    const target = event.target as HTMLElement
    const onControl = target.closest('button, a, summary') !== null
    if (this.record.turn !== null) return this.record.key(event)
    if (event.key === 'Escape' && (this.placed.length || this.exchanging || this.picked !== null)) {
      this.clear()
      this.exchanging = null
      return true
    }
    if (!this.arranging) return false
    if (event.key === 'Backspace') {
      this.backspace()
      return true
    }
    if (event.key === 'Enter' && !onControl) {
      void this.play()
      return true
    }
    return this.type(event.key)
  }

  stop = (): void => {
    this.#stopEffects()
    clearTimeout(this.#timer)
    this.advice.stop()
  }
}
