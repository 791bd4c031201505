// A small client of the API: the calls that a game needs, typed.
import type { Acknowledged, ActionRequest, ErrorBody, GomokuHint, NewTable, TableCreated, TableView } from './types.ts'

/** What the server refused, with its stable code. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  /** Seconds after which it may be tried again, where the server said so. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: ErrorBody, retryAfter: number | undefined) {
    super(body.error.message)
    this.status = status
    this.code = body.error.code
    this.retryAfter = retryAfter
  }
}

/** A table at which this program holds a seat. */
export class Table {
  private readonly base: string
  private readonly token: string
  readonly id: string
  readonly seat: number

  private constructor(base: string, made: TableCreated) {
    const [mine] = made.seat_tokens
    if (!mine) throw new Error('no seat was taken with the table: one of its seats must be {"kind":"me"}')
    this.base = base
    this.id = made.table.id
    this.seat = mine.seat
    this.token = mine.token
  }

  /** Opens a table; `wish.seats` says who sits where. */
  static async open(base: string, wish: NewTable): Promise<Table> {
    return new Table(base, await request<TableCreated>(`${base}/api/v1/tables`, wish))
  }

  /** The table as this seat may see it. */
  look(): Promise<TableView> {
    return request<TableView>(`${this.base}/api/v1/tables/${this.id}`, undefined, this.token)
  }

  /** Acts in the game's notation. `ply` makes a repeated request safe: nothing is played twice. */
  act(text: string, ply: number): Promise<Acknowledged> {
    const act: ActionRequest = { text, expect_ply: ply }
    return this.patiently(() => request<Acknowledged>(`${this.base}/api/v1/tables/${this.id}/actions`, act, this.token))
  }

  /** One good move and why. */
  hint(): Promise<GomokuHint> {
    return this.patiently(() => request<GomokuHint>(`${this.base}/api/v1/tables/${this.id}/services/hint`, {}, this.token))
  }

  /** Waits until it is this seat's turn or the game is over. */
  async turn(): Promise<TableView> {
    for (;;) {
      const table = await this.look()
      if (table.state === 'over' || table.to_act.includes(this.seat)) return table
      await sleep(100)
    }
  }

  /** Tries again when the server is busy and says when. */
  private async patiently<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof Refused) || error.retryAfter === undefined) throw error
        await sleep(1000 * error.retryAfter)
      }
    }
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function request<T>(url: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (token) headers['authorization'] = `Bearer ${token}`
  const asked = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(url, asked)
  if (answer.ok) return (await answer.json()) as T
  const retry = answer.headers.get('retry-after')
  throw new Refused(answer.status, (await answer.json()) as ErrorBody, retry === null ? undefined : Number(retry))
}
