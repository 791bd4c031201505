/** What the page says aside: short notices on screen and announcements for screen readers. */

import { ApiError } from './api'
import { t, tOr } from './i18n.svelte'

export interface Notice {
  id: number
  kind: 'error' | 'info'
  text: string
}

class Notices {
  list = $state<Notice[]>([])
  /** The last announcement; `turn` changes so that the same words are spoken again. */
  spoken = $state({ text: '', turn: 0 })
  #next = 1

  show(kind: Notice['kind'], text: string): void {
    const id = this.#next++
    this.list = [...this.list.filter((notice) => notice.text !== text).slice(-2), { id, kind, text }]
    setTimeout(() => this.close(id), kind === 'error' ? 8000 : 5000)
  }

  close(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id)
  }

  /** Says something to screen readers. */
  say(text: string): void {
    this.spoken = { text, turn: this.spoken.turn + 1 }
  }
}

export const notices = new Notices()

/** An error in the reader's words: by its code, else the server's English sentence. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.retryAfter !== null && (error.status === 429 || error.status === 503)) {
      return t('error.busy', { n: Math.ceil(error.retryAfter) })
    }
    return tOr(`error.${error.code}`, error.message)
  }
  return error instanceof Error ? error.message : String(error)
}

/** Shows an error as a notice. */
export function complain(error: unknown): void {
  notices.show('error', errorText(error))
}
