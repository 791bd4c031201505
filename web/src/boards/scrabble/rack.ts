/** The rack as this page keeps it: tiles have identities, so that their order and their places on the board last. */

import { BLANK } from './model'

export interface RackTile {
  id: number
  letter: string
}

/** The rack after the server's newest word: tiles still held keep their order and identity, fresh ones go to the end. */
export function follow(held: readonly RackTile[], letters: readonly string[]): RackTile[] {
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

/** Another order, never the same one where there is a choice. */
export function shuffled(tiles: readonly RackTile[], random: () => number = Math.random): RackTile[] {
  const letters = (list: readonly RackTile[]) => list.map(({ letter }) => letter).join()
  let mixed = [...tiles]
  for (let tries = 0; tries < 8; tries++) {
    for (let i = mixed.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1))
      ;[mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!]
    }
    if (letters(mixed) !== letters(tiles)) break
  }
  return mixed
}

/** In the order of the alphabet, blanks last. */
export function sorted(tiles: readonly RackTile[], alphabet: readonly string[]): RackTile[] {
  const rank = ({ letter }: RackTile) => (letter === BLANK ? Infinity : alphabet.indexOf(letter))
  return [...tiles].sort((a, b) => rank(a) - rank(b))
}

/** Moves one tile to another place in the row. */
export function moved(tiles: readonly RackTile[], id: number, to: number): RackTile[] {
  const tile = tiles.find((tile) => tile.id === id)
  if (!tile) return [...tiles]
  const rest = tiles.filter((tile) => tile.id !== id)
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, tile)
  return rest
}

/** A letter without its accents. */
export const plainLetter = (letter: string): string => letter.normalize('NFD').replace(/\p{M}/gu, '').replace('Ł', 'L')

export interface Typed {
  /** The tile to lay. */
  tile: RackTile | null
  /** The letter it stands for. */
  letter: string
  /** What was typed and may still become a letter of several characters. */
  pending: string
}

/**
 * What typed characters mean with these tiles: the letter itself, else the beginning of a longer one, else a letter
 * that only lacks its accent, else a blank that stands for it.
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

/** The next letter with the same base among those free: E, É, Ě and around again. */
export function otherAccent(letter: string, free: readonly RackTile[], alphabet: readonly string[]): RackTile | null {
  const family = alphabet.filter((known) => plainLetter(known) === plainLetter(letter))
  const from = family.indexOf(letter)
  for (let i = 1; i < family.length; i++) {
    const tile = free.find((tile) => tile.letter === family[(from + i) % family.length])
    if (tile) return tile
  }
  return null
}
