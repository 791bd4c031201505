import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { format, type Strings } from './strings'

const LANGUAGES = ['en', 'cs', 'pl', 'sk']
const BOARDS = join(import.meta.dirname, '../boards')
const FOLDERS = [
  join(import.meta.dirname, '../../i18n'),
  join(import.meta.dirname, '../operations/i18n'),
  ...readdirSync(BOARDS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(BOARDS, name, 'i18n')),
]

const read = (folder: string, lang: string) => JSON.parse(readFileSync(join(folder, `${lang}.json`), 'utf8')) as Strings

/** Placeholders of a text, sorted. */
const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()

describe.each(FOLDERS)('strings of %s', (folder) => {
  const english = read(folder, 'en')

  it.each(LANGUAGES)('%s has the same keys, all filled', (lang) => {
    const strings = read(folder, lang)
    expect(Object.keys(strings).sort()).toEqual(Object.keys(english).sort())
    for (const [key, entry] of Object.entries(strings)) {
      const texts = typeof entry === 'string' ? [entry] : Object.values(entry)
      for (const text of texts) expect(text, `${lang} ${key}`).not.toBe('')
    }
  })

  it.each(LANGUAGES)('%s has every plural form of its language and the same places', (lang) => {
    const categories = new Intl.PluralRules(lang).resolvedOptions().pluralCategories
    for (const [key, entry] of Object.entries(read(folder, lang))) {
      const original = english[key]!
      expect(typeof entry, key).toBe(typeof original)
      if (typeof entry === 'string') expect(places(entry), `${lang} ${key}`).toEqual(places(original as string))
      else expect(Object.keys(entry).sort(), `${lang} ${key}`).toEqual([...categories].sort())
    }
  })
})

describe('keys used in', () => {
  const files = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.(ts|svelte)$/.test(name))
  const known = new Set(FOLDERS.flatMap((folder) => Object.keys(read(folder, 'en'))))

  it.each(files)('%s', (name) => {
    const source = readFileSync(join(import.meta.dirname, '..', name), 'utf8')
    const used = [...source.matchAll(/\bt\('([\w.-]+)'/g)].map(([, key]) => key!)
    expect(used.filter((key) => !known.has(key))).toEqual([])
  })
})

describe('format', () => {
  it('inserts values and keeps placeholders without one', () => {
    expect(format('{name} takes {point}', { name: 'Eva' }, 'en')).toBe('Eva takes {point}')
  })

  it('chooses the plural form of the language', () => {
    const stones = { one: '{n} kámen', few: '{n} kameny', many: '{n} kamene', other: '{n} kamenů' }
    expect([1, 3, 5].map((n) => format(stones, { n }, 'cs'))).toEqual(['1 kámen', '3 kameny', '5 kamenů'])
  })
})

describe('level names', () => {
  it.each(LANGUAGES)('are the same in all games, %s', (lang) => {
    const names = new Map<string, Set<string>>()
    for (const folder of FOLDERS) {
      for (const [key, text] of Object.entries(read(folder, lang))) {
        const id = /^\w+\.level\.(beginner|casual|club|strong|expert|master)$/.exec(key)?.[1]
        if (id) names.set(id, (names.get(id) ?? new Set()).add(String(text)))
      }
    }
    for (const [id, found] of names) expect([...found], id).toHaveLength(1)
  })
})
