/** Numbers in the user's language. */

import { i18n } from './i18n.svelte'

const formats = new Map<string, Intl.NumberFormat>()

function format(kind: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${i18n.lang} ${kind}`
  let found = formats.get(key)
  if (!found) formats.set(key, (found = new Intl.NumberFormat(i18n.lang, options)))
  return found
}

/** A probability as a percentage: `43 %` in Czech, `43%` in English. */
export const percent = (probability: number): string => format('percent', { style: 'percent', maximumFractionDigits: 0 }).format(probability)

/** A number with a fixed count of decimals. */
export const decimal = (value: number, digits: number): string => format(`decimal ${digits}`, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)

/** A signed number with one decimal, such as `+1.5`. */
export const signed = (value: number): string => format('signed', { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(value)
