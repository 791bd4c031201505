// Made by generate.mjs from docs/openapi.json; do not change it by hand.

/** How a new table is made. */
export interface NewTable {
  clock?: ClockTerms | null
  game: string
  moves?: MoveRequest[]
  options?: TableOptions
  seats?: SeatRequest[]
  settings?: Record<string, unknown>
}

/** A new table and the secrets of the seats that were taken with it. */
export interface TableCreated {
  seat_tokens: SeatToken[]
  table: TableView
}

/** A table as one viewer may see it. */
export interface TableView {
  can_redo: boolean
  clock?: ClockView | null
  game: string
  history: HistoryEntry[]
  id: string
  invite_url: string
  legal?: LegalMove[] | null
  local_only: boolean
  options: TableOptions
  outcome?: Outcome | null
  ply: number
  rematch?: Rematch | null
  rules_version: number
  seats: SeatView[]
  seq: number
  settings: Record<string, unknown>
  state: string
  thinking?: BotThinking | null
  thoughts: BotThought[]
  to_act: Seat[]
  undo_offer?: UndoOffer | null
  view: Record<string, unknown>
  viewer?: Seat | null
}

/** An action to take. */
export interface ActionRequest {
  action?: Record<string, unknown>
  expect_ply?: number | null
  id?: string | null
  seat?: Seat | null
  text?: string | null
}

/** An action stands in the log. */
export interface Acknowledged {
  ply: number
  seq: number
}

/** A refusal. */
export interface ErrorBody {
  error: ErrorDetail
}

/** A recommended move. */
export interface GomokuHint {
  forced_in?: number | null
  line: GomokuSpot[]
  move: GomokuSpot
  note: string
  reason: GomokuMoveReason
  win_probability: number
}

/** The time everybody has. */
export interface ClockTerms {
  increment_ms?: number | null
  per_game_ms?: number | null
  per_move_ms?: number | null
}

/** An action as data or in the game's notation. */
export interface MoveRequest {
  action?: Record<string, unknown>
  seat?: Seat | null
  text?: string | null
}

/** What is agreed besides rules and clock. */
export interface TableOptions {
  help?: boolean
  private?: boolean
  rated?: boolean
}

/** Who shall sit on a seat. */
export interface SeatRequest {
  kind: SeatRequestKind
  level?: string | null
}

/** The secret of a seat, shown once; `Authorization: Bearer <token>` acts for the seat. */
export interface SeatToken {
  seat: Seat
  token: string
}

/** The clocks. */
export interface ClockView {
  per_move_left_ms?: number | null
  running: Seat[]
  seats: ClockSeat[]
  terms: ClockTerms
}

/** One line of the move list, as one viewer may see it. */
export interface HistoryEntry {
  ply: number
  seat: Seat
  text: string
}

/** Something the viewer may do. */
export interface LegalMove {
  action: Record<string, unknown>
  text: string
}

/** The outcome of a game: a result and a score for every seat, and a reason. */
export interface Outcome {
  reason: string
  results: SeatResult[]
  scores: number[]
}

/** The next game of the same players. */
export interface Rematch {
  id: string
}

/** A seat as the caller sees it. */
export interface SeatView {
  connected: boolean
  kind: string
  level?: string | null
  me: boolean
  name_id: string
  player?: PlayerName | null
  seat: Seat
  team: number
}

/** A bot that is thinking. */
export interface BotThinking {
  detail?: Record<string, unknown>
  done: number
  note: string
  seat: Seat
}

/** What the computer thought before an action. */
export type BotThought = Thought & { ply: number; seat: Seat }

/** A seat at a table, counted from 0 in the order of play. */
export type Seat = number

/** CurrentGuest asks to take something back. */
export interface UndoOffer {
  by: Seat
  keep: number
}

/** What was wrong. */
export interface ErrorDetail {
  code: string
  message: string
}

/** A point in answers: coordinates from the top left and its name. */
export interface GomokuSpot {
  name: string
  x: number
  y: number
}

/** What a move makes and what it takes from the other side. */
export interface GomokuMoveReason {
  blocks?: GomokuThreat | null
  makes?: GomokuThreat | null
}

/** Who shall sit on a seat. */
export type SeatRequestKind = "me" | "open" | "bot"

/** One clock. */
export interface ClockSeat {
  left_ms?: number | null
  move_left_ms?: number | null
}

/** The result of one seat. */
export type SeatResult = "won" | "drew" | "lost"

/** What a person is called. */
export interface PlayerName {
  name: string
}

/** The computer's reasoning behind a decision, for people. */
export interface Thought {
  detail?: Record<string, unknown>
  note: string
  win_probability?: number | null
}

/** What a stone on a point makes, strongest first. */
export type GomokuThreat = "five" | "open_four" | "four_three" | "four" | "double_three" | "three"
