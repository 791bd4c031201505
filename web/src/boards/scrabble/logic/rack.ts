/** Model of the rack: tiles have ids, so their order and places on the board persist. */

import { BLANK } from '../model'

export interface RackTile {
  id: number
  letter: string
}

/** The rack after the server's update: kept tiles keep order and id, new ones are appended. */
export function updateRack(held: readonly RackTile[], letters: readonly string[]): RackTile[] {
  const left = [...letters]
  const kept = held.filter(({ letter }) => {
    const at = left.indexOf(letter)
    if (at < 0) return false
    left.splice(at, 1)
    return true
  })
  const next = Math.max(0, ...held.map(({ id }) => id + 1))
  return [...kept, ...left.map((letter, index) => ({ id: next + index, letter }))]
}

/** Another order, different from the current one if possible. */
export function shuffled(tiles: readonly RackTile[], random: () => number = Math.random): RackTile[] {
  const letters = (list: readonly RackTile[]) => list.map(({ letter }) => letter).join()
  const mixed = [...tiles]
  for (let tries = 0; tries < 8; tries++) {
    for (let i = mixed.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1))
      ;[mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!]
    }
    if (letters(mixed) !== letters(tiles)) break
  }
  return mixed
}

/** In alphabetical order, blanks last. */
export function sorted(tiles: readonly RackTile[], alphabet: readonly string[]): RackTile[] {
  const rank = ({ letter }: RackTile) => (letter === BLANK ? Infinity : alphabet.indexOf(letter))
  return [...tiles].sort((a, b) => rank(a) - rank(b))
}

/** Moves one tile to another index. */
export function moved(tiles: readonly RackTile[], id: number, to: number): RackTile[] {
  const tile = tiles.find((tile) => tile.id === id)
  if (!tile) return [...tiles]
  const rest = tiles.filter((tile) => tile.id !== id)
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, tile)
  return rest
}

/** Letter without diacritics. */
export const plainLetter = (letter: string): string => letter.normalize('NFD').replace(/\p{M}/gu, '').replace('Ł', 'L')

export interface Typed {
  /** Tile to place. */
  tile: RackTile | null
  /** Letter the tile stands for. */
  letter: string
  /** Letter the tile stands for. */
  pending: string
}

/**
 * Matches typed characters to a free tile. Order of preference: the exact letter, the start of a multi-character
 * letter, the letter with an accent, a blank.
 */
export function typed(pending: string, key: string, free: readonly RackTile[], alphabet: readonly string[]): Typed {
  const text = (pending + key).toUpperCase()
  const have = (letter: string) => free.find((tile) => tile.letter === letter) ?? null
  const exact = have(text)
  if (exact) return { tile: exact, letter: text, pending: '' }
  if (free.some(({ letter }) => letter !== text && letter.startsWith(text) && [...letter].length > [...text].length)) return { tile: null, letter: '', pending: text }
  const accented = free.find(({ letter }) => letter !== BLANK && plainLetter(letter) === text)
  if (accented) return { tile: accented, letter: accented.letter, pending: '' }
  const blank = have(BLANK)
  if (blank && alphabet.includes(text)) return { tile: blank, letter: text, pending: '' }
  if (pending) return typed('', key, free, alphabet)
  return { tile: null, letter: '', pending: '' }
}

/** Next free letter with the same base letter: E, É, Ě, then E again. */
export function otherAccent(letter: string, free: readonly RackTile[], alphabet: readonly string[]): RackTile | null {
  const family = alphabet.filter((known) => plainLetter(known) === plainLetter(letter))
  const from = family.indexOf(letter)
  for (let i = 1; i < family.length; i++) {
    const tile = free.find((tile) => tile.letter === family[(from + i) % family.length])
    if (tile) return tile
  }
  return null
}
