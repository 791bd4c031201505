/** Translations: loaded per language, switched without a reload. */

import { format, type Translation, type Strings, type Values } from './strings'

export const LANGUAGES = ['en', 'cs', 'pl', 'sk'] as const
export type Lang = (typeof LANGUAGES)[number]
/** Each language's own name. */
export const LANGUAGE_NAMES: Record<Lang, string> = { en: 'English', cs: 'Čeština', pl: 'Polski', sk: 'Slovenčina' }

/** Loads the strings of one part of the page in one language. */
export type StringsLoader = (lang: Lang) => Promise<Strings>

const KEY = 'parlour.lang'

/** Shared strings; boards add theirs with `add`. */
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

  /** Adds a part's strings in the current language and after later switches. */
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

/** Initial language: the stored choice, else the browser's, else English. */
export function firstLanguage(stored: string | null, wanted: readonly string[]): Lang {
  const known = (tag: string) => LANGUAGES.find((lang) => tag.toLowerCase().split('-')[0] === lang)
  for (const tag of stored ? [stored, ...wanted] : wanted) {
    const lang = known(tag)
    if (lang) return lang
  }
  return 'en'
}

/** Sets and stores the language. */
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

/** Translates a key; the value `n` selects the plural form. */
export function t(key: string, values: Values = {}): string {
  const entry: Translation | undefined = i18n.strings[key]
  return entry === undefined ? key : format(entry, values, i18n.lang)
}

/** Translates a key if it exists, else returns `otherwise`. */
export function tOr(key: string, otherwise: string, values: Values = {}): string {
  return i18n.strings[key] === undefined ? otherwise : t(key, values)
}
