/** State shared by the Codenames board and tools: the clue being written, its preview, explanations. */

import type { Controller } from '../types'
import { api } from '../../lib/api'
import { showError } from '../../lib/notices.svelte'
import { downloadFile } from '../../lib/download'
import type { Session } from '../../table/session.svelte'
import { readProfiles, withTurns, writeProfiles, type PlayerProfiles, type PlayerModel } from './logic/profile'
import { myTurns } from './model'
import type { ClueNumber, View } from './model'
import type { ClueCheck, ClueExplanation, Idea, Similarities } from './services'

/** Delay between the last key and the check of a clue. */
const CHECK_DELAY_MS = 250
/** Default clue number of each turn, so that ∞ does not stay from the turn before. */
const DEFAULT_NUMBER: ClueNumber = 2

export class CodenamesController implements Controller {
  word = $state('')
  number = $state<ClueNumber>(DEFAULT_NUMBER)
  targets = $state.raw<number[]>([])
  check = $state.raw<ClueCheck | null>(null)
  checking = $state(false)
  ideas = $state.raw<Idea[]>([])
  loadingIdeas = $state(false)
  explained = $state.raw<{ turn: number; answer: ClueExplanation } | null>(null)
  similarities = $state.raw<Similarities | null>(null)
  /** Player profiles stored in this browser. */
  profiles = $state.raw<PlayerProfiles>(readProfiles())
  /** Card whose guess is in flight. */
  pendingGuess = $state<number | null>(null)
  /** Whether the key's colours are shown. */
  keyShown = $state(true)
  #session: Session<View>
  #timer: ReturnType<typeof setTimeout> | undefined
  #request = 0

  constructor(session: Session<View>) {
    this.#session = session
    session.onChange((before, now) => {
      if (before.ply !== now.ply) {
        this.ideas = []
        // An open explanation follows the board.
        if (this.explained) void this.#explain(this.explained.turn)
        if (now.view.phase !== 'clue') this.clear()
        if (before.view.phase !== 'over' && now.view.phase === 'over') void this.learn(now.view)
      }
    })
  }

  clear(): void {
    this.word = ''
    this.number = DEFAULT_NUMBER
    this.targets = []
    this.check = null
  }

  /** Checks the clue after a pause in typing. */
  scheduleCheck(): void {
    clearTimeout(this.#timer)
    this.check = null
    if (this.word.trim() === '') return
    this.#timer = setTimeout(() => void this.checkClue(), CHECK_DELAY_MS)
  }

  async checkClue(): Promise<void> {
    const word = this.word.trim()
    if (word === '') return
    const request = ++this.#request
    this.checking = true
    try {
      const answer = await this.#session.service<ClueCheck>('check_clue', { word, number: this.number })
      if (request === this.#request && word === this.word.trim()) this.check = answer
    } catch (error) {
      if (request === this.#request) showError(error)
    } finally {
      if (request === this.#request) this.checking = false
    }
  }

  toggleTarget(card: number): void {
    this.targets = this.targets.includes(card) ? this.targets.filter((c) => c !== card) : [...this.targets, card]
  }

  /** Guesses a card; it is lifted until the server answers. */
  async guess(card: number): Promise<void> {
    this.pendingGuess = card
    try {
      await this.#session.act({ type: 'guess', card })
    } finally {
      this.pendingGuess = null
    }
  }

  async giveClue(): Promise<void> {
    const word = this.word.trim()
    if (word === '' || this.check?.legal === false) return
    const action = { type: 'clue', word, number: this.number, ...(this.targets.length ? { meant: this.targets } : {}) }
    if (await this.#session.act(action)) this.clear()
  }

  async loadIdeas(): Promise<void> {
    this.loadingIdeas = true
    try {
      this.ideas = (await this.#session.service<{ ideas: Idea[] }>('ideas', { n: 5 })).ideas
    } catch (error) {
      showError(error)
    } finally {
      this.loadingIdeas = false
    }
  }

  useIdea(idea: Idea): void {
    this.word = idea.clue
    this.number = idea.number
    this.targets = idea.targets.map(({ card }) => card)
    void this.checkClue()
  }

  async explain(turn: number): Promise<void> {
    if (this.explained?.turn === turn) {
      this.explained = null
      return
    }
    await this.#explain(turn)
  }

  async #explain(turn: number): Promise<void> {
    try {
      this.explained = { turn, answer: await this.#session.service<ClueExplanation>('explain', { turn }) }
    } catch (error) {
      showError(error)
    }
  }

  async loadSimilarities(): Promise<void> {
    try {
      this.similarities = await this.#session.service<Similarities>('similarities', {})
    } catch (error) {
      showError(error)
    }
  }

  /** Saves the turns whose targets I may know, in the format of Jareš 2019. */
  async saveTurns(): Promise<void> {
    try {
      const file = await this.#session.service<{ name: string; media_type: string; text: string }>('export', { format: 'cnwa' })
      downloadFile(new Blob([file.text], { type: file.media_type }), file.name)
    } catch (error) {
      showError(error)
    }
  }

  /** Adds the turns of a finished game to the player's profile, if the player opted in. */
  async learn(view: View): Promise<void> {
    const turns = myTurns(view)
    if (!this.profiles.on || turns.length === 0) return
    const profiles = withTurns(this.profiles, view.lang, turns)
    try {
      const known = profiles.langs[view.lang]!
      const person = await api.gameService<PlayerModel>('codenames', 'learn', { lang: view.lang, turns: known.turns })
      this.#saveProfiles({ ...profiles, langs: { ...profiles.langs, [view.lang]: { ...known, person } } })
    } catch (error) {
      showError(error)
    }
  }

  setRemembering(on: boolean): void {
    this.#saveProfiles({ ...this.profiles, on })
    if (on && this.#session.table.view.phase === 'over') void this.learn(this.#session.table.view)
  }

  forget(): void {
    this.#saveProfiles({ on: this.profiles.on, langs: {} })
  }

  #saveProfiles(profiles: PlayerProfiles): void {
    this.profiles = profiles
    writeProfiles(profiles)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
