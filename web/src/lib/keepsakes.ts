/** What the browser keeps for the person, carried along by the account from machine to machine. */

import { api } from './api'

/** Name in the account → name in the browser. */
export const KEPT: Record<string, string> = {
  'homeguard.taste': 'parlour.homeguard.profile',
  'codenames.memory': 'parlour.codenames.memory',
  'codenames.packs': 'parlour.codenames.packs',
}
/** What stood here when account and browser last agreed. */
const AGREED = 'parlour.kept'

export type Step = { name: string; take: string } | { name: string; give: string }

/**
 * What has to be done so that browser and account agree: what was changed here since they last did is given,
 * anything else that differs is taken.
 */
export function steps(here: Record<string, string | null>, there: Record<string, string>, agreed: Record<string, string>): Step[] {
  return Object.keys(KEPT).flatMap((name): Step[] => {
    const mine = here[name] ?? null
    const theirs = there[name] ?? null
    if (mine === theirs) return []
    if (mine !== null && (theirs === null || mine !== agreed[name])) return [{ name, give: mine }]
    return theirs === null ? [] : [{ name, take: theirs }]
  })
}

function readAgreed(): Record<string, string> {
  try {
    return (JSON.parse(localStorage.getItem(AGREED) ?? '{}') ?? {}) as Record<string, string>
  } catch {
    return {}
  }
}

/** Makes browser and account agree. */
export async function syncKeepsakes(): Promise<void> {
  const there = Object.fromEntries(Object.entries(await api.keepsakes()).map(([name, { body }]) => [name, body]))
  const here = Object.fromEntries(Object.entries(KEPT).map(([name, key]) => [name, localStorage.getItem(key)]))
  for (const step of steps(here, there, readAgreed())) {
    if ('give' in step) await api.keep(step.name, step.give)
    else localStorage.setItem(KEPT[step.name]!, step.take)
  }
  const now = Object.entries(KEPT).map(([name, key]) => [name, localStorage.getItem(key)] as const)
  localStorage.setItem(AGREED, JSON.stringify(Object.fromEntries(now.filter(([, text]) => text !== null))))
}

/** What belongs to the account does not stay behind for whoever comes next. */
export function forgetKeepsakes(): void {
  for (const key of Object.values(KEPT)) localStorage.removeItem(key)
  localStorage.removeItem(AGREED)
}
