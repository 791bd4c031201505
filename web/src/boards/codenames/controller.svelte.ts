/** What the board and the tools of Codenames share: the clue being written, its preview, explanations. */

import type { Controller } from '../types'
import { complain } from '../../lib/notices.svelte'
import type { Session } from '../../table/session.svelte'
import type { CheckAnswer, ClueNumber, ExplainAnswer, Idea, Similarities, View } from './model'

/** How long typing rests before a clue is checked. */
const REST_MS = 250

export class CodenamesController implements Controller {
  word = $state('')
  number = $state<ClueNumber>(2)
  meant = $state.raw<number[]>([])
  check = $state.raw<CheckAnswer | null>(null)
  checking = $state(false)
  ideas = $state.raw<Idea[]>([])
  asking = $state(false)
  explained = $state.raw<{ turn: number; answer: ExplainAnswer } | null>(null)
  similarities = $state.raw<Similarities | null>(null)
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
      }
    })
  }

  clear(): void {
    this.word = ''
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

  stop(): void {
    clearTimeout(this.#timer)
  }
}
