/** User data in browser storage, synchronised with the account. */

import { api } from './api'

/** Key in the account → key in browser storage. */
export const STORAGE_KEYS: Record<string, string> = {
  'homeguard.taste': 'parlour.homeguard.profile',
  'codenames.memory': 'parlour.codenames.memory',
  'codenames.packs': 'parlour.codenames.packs',
}
/** Copy of the data at the last synchronisation. */
const LAST_SYNC_KEY = 'parlour.kept'

export type Step = { name: string; download: string } | { name: string; upload: string }

/**
 * Steps that make browser and account equal: values changed here since the last synchronisation are uploaded, other
 * differences are downloaded.
 */
export function syncSteps(here: Record<string, string | null>, there: Record<string, string>, lastSync: Record<string, string>): Step[] {
  return Object.keys(STORAGE_KEYS).flatMap((name): Step[] => {
    const mine = here[name] ?? null
    const theirs = there[name] ?? null
    if (mine === theirs) return []
    if (mine !== null && (theirs === null || mine !== lastSync[name])) return [{ name, upload: mine }]
    return theirs === null ? [] : [{ name, download: theirs }]
  })
}

function readLastSync(): Record<string, string> {
  try {
    return (JSON.parse(localStorage.getItem(LAST_SYNC_KEY) ?? '{}') ?? {}) as Record<string, string>
  } catch {
    return {}
  }
}

/** Synchronises browser and account. */
export async function syncUserData(): Promise<void> {
  const there = Object.fromEntries(Object.entries(await api.userData()).map(([name, { body }]) => [name, body]))
  const here = Object.fromEntries(Object.entries(STORAGE_KEYS).map(([name, key]) => [name, localStorage.getItem(key)]))
  for (const step of syncSteps(here, there, readLastSync())) {
    if ('upload' in step) await api.putUserData(step.name, step.upload)
    else localStorage.setItem(STORAGE_KEYS[step.name]!, step.download)
  }
  const now = Object.entries(STORAGE_KEYS).map(([name, key]) => [name, localStorage.getItem(key)] as const)
  localStorage.setItem(LAST_SYNC_KEY, JSON.stringify(Object.fromEntries(now.filter(([, text]) => text !== null))))
}

/** Removes the account's data from this browser, for the next user. */
export function forgetUserData(): void {
  for (const key of Object.values(STORAGE_KEYS)) localStorage.removeItem(key)
  localStorage.removeItem(LAST_SYNC_KEY)
}
