/** Formats translations: `{name}` placeholders and plural forms. */

/** A text, or one text per plural category. */
export type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>
export type Strings = Record<string, Translation>
export type Values = Record<string, string | number>

const rules = new Map<string, Intl.PluralRules>()

function plural(lang: string): Intl.PluralRules {
  let rule = rules.get(lang)
  if (!rule) rules.set(lang, (rule = new Intl.PluralRules(lang)))
  return rule
}

/** The text for `values`; `values.n` selects the plural form. */
export function format(entry: Translation, values: Values, lang: string): string {
  const text = typeof entry === 'string' ? entry : (entry[plural(lang).select(Number(values.n ?? 0))] ?? entry.other ?? '')
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    return typeof value === 'number' ? value.toLocaleString(lang) : value
  })
}
