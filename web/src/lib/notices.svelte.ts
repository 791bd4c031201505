/** Notices on screen and announcements for screen readers. */

import { ApiError } from './api'
import { i18n, t, tOr } from './i18n.svelte'

export interface Notice {
  id: number
  kind: 'error' | 'info'
  text: string
}

class Notices {
  list = $state<Notice[]>([])
  /** Newest announcement; `turn` changes so that equal texts are read again. */
  announcement = $state({ text: '', turn: 0 })
  #next = 1

  show(kind: Notice['kind'], text: string): void {
    const id = this.#next++
    this.list = [...this.list.filter((notice) => notice.text !== text).slice(-2), { id, kind, text }]
    setTimeout(() => this.close(id), kind === 'error' ? 8000 : 5000)
  }

  close(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id)
  }

  /** Announces a text to screen readers. */
  announce(text: string): void {
    this.announcement = { text, turn: this.announcement.turn + 1 }
  }
}

export const notices = new Notices()

/** Translates an error by its code, else returns the server's English sentence. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.retryAfter !== null && (error.status === 429 || error.status === 503)) {
      return t('error.busy', { n: Math.ceil(error.retryAfter) })
    }
    // The server's sentences are English.
    return tOr(`error.${error.code}`, i18n.lang === 'en' ? error.message : t('error.other'))
  }
  return error instanceof Error ? error.message : String(error)
}

/** Shows an error as a notice. */
export function showError(error: unknown): void {
  notices.show('error', errorText(error))
}
