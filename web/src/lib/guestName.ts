/** Friendly names for new guests: an adjective and an animal in the user's language. */

import type { Lang } from './i18n.svelte'

/** Adjectives and animals that agree: all animals of a language take the same form. */
const WORDS: Record<Lang, [string[], string[]]> = {
  en: [
    ['Merry', 'Brave', 'Quiet', 'Clever', 'Swift', 'Gentle', 'Lucky', 'Sunny', 'Curious', 'Patient'],
    ['Fox', 'Otter', 'Heron', 'Badger', 'Hare', 'Owl', 'Robin', 'Beaver', 'Lynx', 'Hedgehog'],
  ],
  cs: [
    ['Veselý', 'Statečný', 'Tichý', 'Chytrý', 'Rychlý', 'Milý', 'Šťastný', 'Zvědavý', 'Trpělivý', 'Bystrý'],
    ['Lišák', 'Jezevec', 'Zajíc', 'Sokol', 'Bobr', 'Rys', 'Ježek', 'Datel', 'Kos', 'Jelen'],
  ],
  pl: [
    ['Wesoły', 'Dzielny', 'Cichy', 'Sprytny', 'Szybki', 'Miły', 'Szczęśliwy', 'Ciekawy', 'Cierpliwy', 'Bystry'],
    ['Lis', 'Borsuk', 'Zając', 'Sokół', 'Bóbr', 'Ryś', 'Jeż', 'Dzięcioł', 'Kos', 'Jeleń'],
  ],
  sk: [
    ['Veselý', 'Statočný', 'Tichý', 'Múdry', 'Rýchly', 'Milý', 'Šťastný', 'Zvedavý', 'Trpezlivý', 'Bystrý'],
    ['Líšiak', 'Jazvec', 'Zajac', 'Sokol', 'Bobor', 'Rys', 'Ježko', 'Ďateľ', 'Drozd', 'Jeleň'],
  ],
}

/** Whether a name is the one the server gives to a new guest. */
export const isDefaultName = (name: string): boolean => /^Guest [0-9A-Z]{4}$/.test(name)

export function guestName(lang: Lang, random: () => number = Math.random): string {
  return WORDS[lang].map((words) => words[Math.floor(random() * words.length)]).join(' ')
}
