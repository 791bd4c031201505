/** Types of /api/v1, derived from docs/openapi.json (`npm run types` generates schema.gen.d.ts). */

import type { components, paths } from './schema.gen'

type Schemas = components['schemas']
/** Answer of a route. */
type Answer<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never

export type GameInfo = Answer<'/api/v1/games', 'get'>[number]
export type Me = Schemas['Me']
export type RatingLine = Me['ratings'][number]
export type TableSummary = Me['tables'][number]
export type NewTable = Schemas['NewTable']
export type SeatRequest = NonNullable<NewTable['seats']>[number]
export type ClockRequest = NonNullable<NewTable['clock']>
export type SeatInfo = Schemas['TableView']['seats'][number]
export type HistoryEntry = Schemas['TableView']['history'][number]
export type Thinking = NonNullable<Schemas['TableView']['thinking']>
export type ClockState = Omit<NonNullable<Schemas['TableView']['clock']>, 'terms'>
export type Metrics = Answer<'/api/v1/operations', 'get'>

/** A table as one viewer may see it; `view` is the game's own. */
export type Table<View = unknown> = Omit<Schemas['TableView'], 'view' | 'settings' | 'legal'> & {
  view: View
  settings: Record<string, unknown>
  legal?: { action: unknown; text: string }[] | null
}

/** A message from a table's socket. The document describes HTTP only. */
export interface ServerMessage {
  seq?: number
  table?: Table
  thinking?: Thinking | null
  progress?: { service: string; id?: string; done: number; note: string; detail?: unknown }
  presence?: { seat: number | null; [key: string]: unknown }
  ack?: { id: string; seq: number; ply: number }
  nack?: { id: string; error: { code: string; message: string } }
  pong?: unknown
}
