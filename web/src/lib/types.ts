/** What the server sends: the shapes of /api/v1 as the page reads them. */

export interface Level {
  id: string
  name: string
  description: string
}

export interface ServiceInfo {
  name: string
  summary: string
  cost: 'light' | 'heavy'
  needs: 'nothing' | 'view'
}

/** A game as `GET /games` lists it. */
export interface GameInfo {
  id: string
  rules_version: number
  min_seats: number
  max_seats: number
  hidden: boolean
  undo: boolean
  turns: boolean
  simultaneous: boolean
  join_during_play?: boolean
  levels: Level[]
  default_level: string
  default_settings: Record<string, unknown>
  settings_schema: unknown
  services: ServiceInfo[]
}

export interface SeatInfo {
  seat: number
  /** Stable id of the seat's role, such as `black`; translated as `<game>.seat.<id>`. */
  name_id: string
  team: number | null
  kind: 'open' | 'person' | 'bot'
  player?: { name: string } | null
  level?: string | null
  me: boolean
  connected: boolean
}

export interface HistoryEntry {
  ply: number
  seat: number
  text: string
}

export interface Thought {
  ply: number
  seat: number
  note: string
  win_probability?: number
  detail?: unknown
}

export interface Outcome {
  results: ('won' | 'drew' | 'lost')[]
  scores: number[]
  reason: string
}

export interface ClockState {
  /** Left for the whole game and for this action, where they are limited. */
  seats: { left_ms?: number | null; move_left_ms?: number | null }[]
  running: number[]
}

export type TableState = 'waiting' | 'running' | 'over'

/** A table as one viewer may see it. */
export interface Table<View = unknown> {
  id: string
  game: string
  rules_version: number
  settings: Record<string, unknown>
  options?: { help: boolean; private?: boolean; rated?: boolean }
  state: TableState
  seats: SeatInfo[]
  viewer: number | null
  seq: number
  ply: number
  to_act: number[]
  /** The game's own view; null while the table waits for players. */
  view: View
  history: HistoryEntry[]
  legal?: { action: unknown; text: string }[] | null
  clock?: ClockState | null
  outcome?: Outcome | null
  thoughts: Thought[]
  thinking?: Thinking | null
  undo_offer?: { by: number; keep: number } | null
  /** Whether something taken back may be played again. */
  can_redo?: boolean
  rematch?: { id: string } | null
  invite_url: string
  local_only: boolean
}

export interface Thinking {
  seat: number
  done: number
  note: string
  detail?: unknown
}

export interface TableSummary {
  id: string
  game: string
  state: TableState
  seats: SeatInfo[]
  to_act: number[]
  ply: number
  updated?: string
  outcome?: Outcome | null
}

/** How strong somebody is in one game: Glicko-2. */
export interface RatingLine {
  game: string
  rating: number
  deviation: number
  games: number
}

export interface Me {
  guest: { id: string; name: string }
  /** The name of my account, if I have one. */
  account: string | null
  ratings: RatingLine[]
  tables: TableSummary[]
}

export interface SeatRequest {
  kind: 'me' | 'open' | 'bot'
  level?: string
}

export interface ClockRequest {
  per_move_ms?: number
  per_game_ms?: number
  increment_ms?: number
}

export interface NewTable {
  game: string
  settings?: Record<string, unknown>
  seats: SeatRequest[]
  clock?: ClockRequest
  options?: { help: boolean; rated?: boolean }
  /** Actions to play at once, for games that were imported. */
  moves?: { action?: unknown; text?: string; seat?: number }[]
}

/** What the server pushes over a table's socket. */
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
