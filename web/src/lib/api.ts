/** HTTP client of /api/v1: one function per route. Errors are `ApiError` with the server's stable code. */

import type { GameInfo, Me, NewTable, SeatRequest, Table, TableSummary } from './apiTypes'

/** An error answer. `code` is stable and translated, `message` is the server's English sentence. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds to wait before a retry, if the server says so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

const BASE = '/api/v1'

async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = { method, credentials: 'same-origin' }
  if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { 'content-type': 'application/json' }
  }
  if (signal) init.signal = signal
  let answer: Response
  try {
    answer = await fetch(BASE + path, init)
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError(0, 'net.unreachable', 'The server cannot be reached.')
  }
  if (!answer.ok) throw await refusal(answer)
  if (answer.status === 204) return undefined as T
  const text = await answer.text()
  return (text ? JSON.parse(text) : undefined) as T
}

/** Parses an error answer, also one written by a proxy. */
export async function refusal(answer: Response): Promise<ApiError> {
  const retry = Number.parseFloat(answer.headers.get('retry-after') ?? '')
  let code = `http.${answer.status}`
  let message = answer.statusText || `The server answered ${answer.status}.`
  try {
    const body = (await answer.json()) as { error?: { code?: string; message?: string } }
    code = body.error?.code ?? code
    message = body.error?.message ?? message
  } catch {
    // Not JSON: use the status.
  }
  return new ApiError(answer.status, code, message, Number.isFinite(retry) ? retry : null)
}

const table = (id: string) => `/tables/${encodeURIComponent(id)}`

export const api = {
  games: () => call<GameInfo[]>('GET', '/games'),
  me: () => call<Me>('GET', '/me'),
  rename: (name: string) => call<Me>('PUT', '/me', { name }),
  createAccount: (login: string, password: string) => call<unknown>('POST', '/account', { login, password }),
  login: (login: string, password: string) => call<unknown>('POST', '/account/login', { login, password }),
  logout: () => call<unknown>('POST', '/account/logout', {}),
  password: (old: string, fresh: string) => call<unknown>('PUT', '/account/password', { old, new: fresh }),
  myData: () => call<unknown>('GET', '/me/data'),
  deleteMe: (password?: string) => call<unknown>('DELETE', '/me', { password }),
  userData: () => call<Record<string, { body: string }>>('GET', '/me/keepsakes'),
  putUserData: (name: string, body: string) => call<unknown>('PUT', `/me/keepsakes/${encodeURIComponent(name)}`, { body }),
  guest: () => call<unknown>('POST', '/guest', {}),
  tables: (game: string, state: 'running' | 'finished') => call<TableSummary[]>('GET', `/tables?game=${encodeURIComponent(game)}&state=${state}`),
  newTable: (request: NewTable) => call<{ table: Table; seat_tokens: { seat: number; token: string }[] }>('POST', '/tables', request),
  table: (id: string) => call<Table>('GET', table(id)),
  viewAt: (id: string, ply: number) => call<{ ply: number; view: unknown }>('GET', `${table(id)}/view?at=${ply}`),
  sit: (id: string, seat: number, request: SeatRequest) => call<{ seat: number; token?: string }>('POST', `${table(id)}/seats/${seat}`, request),
  stand: (id: string, seat: number) => call<unknown>('DELETE', `${table(id)}/seats/${seat}`),
  act: (id: string, body: { action?: unknown; text?: string; seat?: number; expect_ply?: number }) => call<{ seq: number; ply: number }>('POST', `${table(id)}/actions`, body),
  undo: (id: string, body: { keep?: number; accept?: boolean }) => call<unknown>('POST', `${table(id)}/undo`, body),
  redo: (id: string) => call<unknown>('POST', `${table(id)}/redo`, {}),
  resign: (id: string, seat?: number) => call<unknown>('POST', `${table(id)}/resign`, seat === undefined ? {} : { seat }),
  rematch: (id: string) => call<{ id: string }>('POST', `${table(id)}/rematch`, {}),
  /** Calls a service of a table: the server adds the caller's view. */
  tableService: <T>(id: string, name: string, request: unknown, signal?: AbortSignal) => call<T>('POST', `${table(id)}/services/${encodeURIComponent(name)}`, request, signal),
  /** Calls a service whose request is complete. */
  gameService: <T>(game: string, name: string, request: unknown, signal?: AbortSignal) => call<T>('POST', `/${encodeURIComponent(game)}/${encodeURIComponent(name)}`, request, signal),
}
