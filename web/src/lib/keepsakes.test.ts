import { describe, expect, it } from 'vitest'
import { steps } from './keepsakes'

describe('keepsakes', () => {
  const name = 'homeguard.taste'

  it('gives what is new here and takes what is new there', () => {
    expect(steps({ [name]: 'a' }, {}, {})).toEqual([{ name, give: 'a' }])
    expect(steps({}, { [name]: 'b' }, {})).toEqual([{ name, take: 'b' }])
    expect(steps({ [name]: 'a' }, { [name]: 'a' }, {})).toEqual([])
  })

  it('goes by what changed since both agreed', () => {
    expect(steps({ [name]: 'old' }, { [name]: 'new' }, { [name]: 'old' })).toEqual([{ name, take: 'new' }])
    expect(steps({ [name]: 'mine' }, { [name]: 'old' }, { [name]: 'old' })).toEqual([{ name, give: 'mine' }])
    expect(steps({}, {}, { [name]: 'old' })).toEqual([])
  })

  it('leaves alone what it does not know', () => {
    expect(steps({}, { other: 'x' }, {})).toEqual([])
  })
})
