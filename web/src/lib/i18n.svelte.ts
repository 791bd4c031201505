/** The page's words: loaded per language, switched without a reload. */

import { fill, type Entry, type Strings, type Values } from './strings'

export const LANGUAGES = ['en', 'cs', 'pl', 'sk'] as const
export type Lang = (typeof LANGUAGES)[number]
/** Each language in its own words. */
export const LANGUAGE_NAMES: Record<Lang, string> = { en: 'English', cs: 'Čeština', pl: 'Polski', sk: 'Slovenčina' }

/** Loads one language of one part of the page. */
export type StringsLoader = (lang: Lang) => Promise<Strings>

const KEY = 'parlour.lang'

/** The shared words; a board brings its own through `addStrings`. */
const shared: StringsLoader = async (lang) => {
  switch (lang) {
    case 'cs':
      return (await import('../../i18n/cs.json')).default as Strings
    case 'pl':
      return (await import('../../i18n/pl.json')).default as Strings
    case 'sk':
      return (await import('../../i18n/sk.json')).default as Strings
    default:
      return (await import('../../i18n/en.json')).default as Strings
  }
}

const loaders = new Map<string, StringsLoader>([['', shared]])
const loaded = new Map<string, Promise<void>>()

class I18n {
  lang = $state<Lang>('en')
  strings = $state.raw<Strings>({})

  async use(lang: Lang): Promise<void> {
    this.strings = await this.#collect(lang)
    this.lang = lang
    document.documentElement.lang = lang
  }

  async #collect(lang: Lang): Promise<Strings> {
    const parts = await Promise.all([...loaders.values()].map((load) => load(lang)))
    return Object.assign({}, ...parts) as Strings
  }

  /** Adds a part's words in the language of now and of later switches. */
  async add(part: string, load: StringsLoader): Promise<void> {
    loaders.set(part, load)
    const key = `${part}/${this.lang}`
    let pending = loaded.get(key)
    if (!pending) {
      const lang = this.lang
      pending = load(lang).then((strings) => {
        if (this.lang === lang) this.strings = { ...this.strings, ...strings }
      })
      loaded.set(key, pending)
    }
    await pending
  }
}

export const i18n = new I18n()

/** The language to start with: the one chosen before, else the browser's, else English. */
export function firstLanguage(stored: string | null, wanted: readonly string[]): Lang {
  const known = (tag: string) => LANGUAGES.find((lang) => tag.toLowerCase().split('-')[0] === lang)
  for (const tag of stored ? [stored, ...wanted] : wanted) {
    const lang = known(tag)
    if (lang) return lang
  }
  return 'en'
}

/** Chooses a language for good. */
export async function setLanguage(lang: Lang): Promise<void> {
  try {
    localStorage.setItem(KEY, lang)
  } catch {
    // Private mode: the choice lasts until the page closes.
  }
  await i18n.use(lang)
}

export async function startLanguage(): Promise<void> {
  let stored: string | null = null
  try {
    stored = localStorage.getItem(KEY)
  } catch {
    // See setLanguage.
  }
  await i18n.use(firstLanguage(stored, navigator.languages))
}

/** A text in the language of now. Numbers named `n` choose the plural form. */
export function t(key: string, values: Values = {}): string {
  const entry: Entry | undefined = i18n.strings[key]
  return entry === undefined ? key : fill(entry, values, i18n.lang)
}

/** A text if it exists in the language of now, else `otherwise`. */
export function tOr(key: string, otherwise: string, values: Values = {}): string {
  return i18n.strings[key] === undefined ? otherwise : t(key, values)
}
