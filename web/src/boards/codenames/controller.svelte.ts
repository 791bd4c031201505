/** What the board and the tools of Codenames share: the clue being written, its preview, explanations. */

import type { Controller } from '../types'
import { api } from '../../lib/api'
import { complain } from '../../lib/notices.svelte'
import { save } from '../../lib/save'
import type { Session } from '../../table/session.svelte'
import { readMemory, withTurns, writeMemory, type Memory, type Person } from './memory'
import { myTurns } from './model'
import type { CheckAnswer, ClueNumber, ExplainAnswer, Idea, Similarities, View } from './model'

/** How long typing rests before a clue is checked. */
const REST_MS = 250
/** The number a clue has until another is chosen: ∞ must not stay from the clue before. */
const USUAL: ClueNumber = 2

export class CodenamesController implements Controller {
  word = $state('')
  number = $state<ClueNumber>(USUAL)
  meant = $state.raw<number[]>([])
  check = $state.raw<CheckAnswer | null>(null)
  checking = $state(false)
  ideas = $state.raw<Idea[]>([])
  asking = $state(false)
  explained = $state.raw<{ turn: number; answer: ExplainAnswer } | null>(null)
  similarities = $state.raw<Similarities | null>(null)
  /** What this browser remembers of its person. */
  memory = $state.raw<Memory>(readMemory())
  /** Whether the spymaster's colours are shown. */
  keyShown = $state(true)
  #session: Session<View>
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = 0

  constructor(session: Session<View>) {
    this.#session = session
    session.onChange((before, now) => {
      if (before.ply !== now.ply) {
        this.ideas = []
        if (now.view.phase !== 'clue') this.clear()
        if (before.view.phase !== 'over' && now.view.phase === 'over') void this.learn(now.view)
      }
    })
  }

  clear(): void {
    this.word = ''
    this.number = USUAL
    this.meant = []
    this.check = null
  }

  /** Checks the clue once typing rests. */
  typed(): void {
    clearTimeout(this.#timer)
    this.check = null
    if (this.word.trim() === '') return
    this.#timer = setTimeout(() => void this.ask(), REST_MS)
  }

  async ask(): Promise<void> {
    const word = this.word.trim()
    if (word === '') return
    const asked = ++this.#asked
    this.checking = true
    try {
      const answer = await this.#session.service<CheckAnswer>('check_clue', { word, number: this.number })
      if (asked === this.#asked && word === this.word.trim()) this.check = answer
    } catch (error) {
      if (asked === this.#asked) complain(error)
    } finally {
      if (asked === this.#asked) this.checking = false
    }
  }

  toggleMeant(card: number): void {
    this.meant = this.meant.includes(card) ? this.meant.filter((c) => c !== card) : [...this.meant, card]
  }

  async give(): Promise<void> {
    const word = this.word.trim()
    if (word === '' || this.check?.legal === false) return
    const action = { type: 'clue', word, number: this.number, ...(this.meant.length ? { meant: this.meant } : {}) }
    if (await this.#session.act(action)) this.clear()
  }

  async suggest(): Promise<void> {
    this.asking = true
    try {
      this.ideas = (await this.#session.service<{ ideas: Idea[] }>('ideas', { n: 5 })).ideas
    } catch (error) {
      complain(error)
    } finally {
      this.asking = false
    }
  }

  take(idea: Idea): void {
    this.word = idea.clue
    this.number = idea.number
    this.meant = idea.targets.map(({ card }) => card)
    void this.ask()
  }

  async explain(turn: number): Promise<void> {
    if (this.explained?.turn === turn) {
      this.explained = null
      return
    }
    try {
      this.explained = { turn, answer: await this.#session.service<ExplainAnswer>('explain', { turn }) }
    } catch (error) {
      complain(error)
    }
  }

  async compare(): Promise<void> {
    try {
      this.similarities = await this.#session.service<Similarities>('similarities', {})
    } catch (error) {
      complain(error)
    }
  }

  /** Saves the turns whose meaning I may know, in the study's layout. */
  async saveTurns(): Promise<void> {
    try {
      const file = await this.#session.service<{ name: string; media_type: string; text: string }>('export', { format: 'cnwa' })
      save(new Blob([file.text], { type: file.media_type }), file.name)
    } catch (error) {
      complain(error)
    }
  }

  /** Adds the turns of a finished game to what is remembered, if the person wants that. */
  async learn(view: View): Promise<void> {
    const turns = myTurns(view)
    if (!this.memory.on || turns.length === 0) return
    const memory = withTurns(this.memory, view.lang, turns)
    try {
      const known = memory.langs[view.lang]!
      const person = await api.gameService<Person>('codenames', 'learn', { lang: view.lang, turns: known.turns })
      this.#keep({ ...memory, langs: { ...memory.langs, [view.lang]: { ...known, person } } })
    } catch (error) {
      complain(error)
    }
  }

  remember(on: boolean): void {
    this.#keep({ ...this.memory, on })
    if (on && this.#session.table.view.phase === 'over') void this.learn(this.#session.table.view)
  }

  forget(): void {
    this.#keep({ on: this.memory.on, langs: {} })
  }

  #keep(memory: Memory): void {
    this.memory = memory
    writeMemory(memory)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
