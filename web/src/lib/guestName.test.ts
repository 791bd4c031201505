import { describe, expect, it } from 'vitest'
import { guestName, isDefaultName } from './guestName'
import { LANGUAGES } from './i18n.svelte'

describe('guest names', () => {
  it('are two words in every language', () => {
    for (const lang of LANGUAGES) for (const at of [0, 0.5, 0.999]) expect(guestName(lang, () => at)).toMatch(/^\p{Lu}\p{L}+ \p{Lu}\p{L}+$/u)
  })

  it('replace only the name given by the server', () => {
    expect(isDefaultName('Guest RMY7')).toBe(true)
    expect(isDefaultName('Guest of honour')).toBe(false)
  })
})
