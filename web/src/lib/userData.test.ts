import { describe, expect, it } from 'vitest'
import { syncSteps } from './userData'

describe('user data', () => {
  const name = 'homeguard.taste'

  it('uploads local changes and downloads remote ones', () => {
    expect(syncSteps({ [name]: 'a' }, {}, {})).toEqual([{ name, upload: 'a' }])
    expect(syncSteps({}, { [name]: 'b' }, {})).toEqual([{ name, download: 'b' }])
    expect(syncSteps({ [name]: 'a' }, { [name]: 'a' }, {})).toEqual([])
  })

  it('compares with the last synchronisation', () => {
    expect(syncSteps({ [name]: 'old' }, { [name]: 'new' }, { [name]: 'old' })).toEqual([{ name, download: 'new' }])
    expect(syncSteps({ [name]: 'mine' }, { [name]: 'old' }, { [name]: 'old' })).toEqual([{ name, upload: 'mine' }])
    expect(syncSteps({}, {}, { [name]: 'old' })).toEqual([])
  })

  it('ignores unknown keys', () => {
    expect(syncSteps({}, { other: 'x' }, {})).toEqual([])
  })
})
