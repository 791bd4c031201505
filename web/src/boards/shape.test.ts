import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { boards } from './index'

/** Every board folder holds exactly these entries. */
const REQUIRED = ['Board.svelte', 'Picture.svelte', 'Tools.svelte', 'components', 'controller.svelte.ts', 'i18n', 'index.ts', 'logic', 'model.test.ts', 'model.ts', 'services.ts']

const games = readdirSync(import.meta.dirname).filter((name) => statSync(join(import.meta.dirname, name)).isDirectory())

describe('board folders', () => {
  it('are registered', () => expect(games.sort()).toEqual(Object.keys(boards).sort()))

  it.each(games)('%s has the common shape', (game) => {
    const folder = join(import.meta.dirname, game)
    expect(readdirSync(folder).sort()).toEqual(REQUIRED)
    for (const name of readdirSync(join(folder, 'components'))) expect(name).toMatch(/^[A-Z]\w*\.svelte$|^\w+\.css$/)
    for (const name of readdirSync(join(folder, 'logic'))) expect(name).not.toMatch(/^[A-Z]|\.svelte$/)
  })
})
