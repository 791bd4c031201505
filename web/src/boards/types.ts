/** Interface between a game's board and the page. See web/README.md, "Add a board". */

import type { Component } from 'svelte'
import type { Lang, StringsLoader } from '../lib/i18n.svelte'
import type { GameInfo, HistoryEntry, SeatRequest, Table } from '../lib/apiTypes'
import type { Session } from '../table/session.svelte'

/** State shared by a game's board and tools; one per table page. */
export interface Controller {
  /** Called by the shared *Hint* button. */
  hint?(): Promise<void>
  /** Keys not used by an input or the move list. Returns whether the key was used. */
  key?(event: KeyboardEvent): boolean
  /** Title of a view that takes the table's place, such as a record from a file; the table's own panels are hidden. */
  readonly replacing?: string | null
  /** Called when the user leaves the table. */
  stop?(): void
}

/** A point of the win-probability curve. */
export interface CurvePoint {
  ply: number
  /** Win probability from 0 to 1 of the seat the curve is drawn for. */
  p: number
}

/** A notable move in a review. */
export interface Moment {
  ply: number
  /** Position to show, if not the one after the move: a missed move is shown before the mistake. */
  show?: number
  kind: 'blunder' | 'mistake' | 'good' | 'note'
  text: string
}

export interface ReviewData {
  /** Seat the curve is drawn for. */
  seat: number
  curve: CurvePoint[]
  moments: Moment[]
}

/** How the set-up page offers a setting; other settings follow the server's schema. */
export interface FieldHint {
  /** Field of the settings. */
  field: string
  /** Offered values, in order; each is named `<game>.setting.<field>.<value>`. */
  choices?: (string | number | boolean)[]
  /** Leaves the field out of the form. */
  hidden?: boolean
  /** Component that edits the field. */
  editor?: Component<{ value: unknown; change: (value: unknown) => void; settings: Record<string, unknown> }>
}

export interface BoardModule<View = unknown, C extends Controller = Controller> {
  controller(session: Session<View>): C
  /** Draws `session.view` and acts through `session.act`. */
  Board: Component<{ session: Session<View>; ctl: C }>
  /** Tools beside the board: analysis, import and export, display options. */
  Tools?: Component<{ session: Session<View>; ctl: C }>
  /** The view after `ply` actions, if the newest view contains it; otherwise the page asks the server. */
  viewAt?(view: View, ply: number, table: Session<View>['table']): View | null
  /** Milliseconds the director waits before a computer's action at tempo *brisk*. `view` is the newest view. */
  beat?(entry: HistoryEntry, view: View): number
  /** The view after the user's own action, shown until the server answers; null where the page cannot know it. */
  predict?(table: Table<View>, action: unknown, seat: number): View | null
  /** One sentence on the result, where *You won* is not the right one. */
  result?(session: Session<View>): string | null
  /** The game offers its own next step after the end, so the result card has no *Rematch*. */
  next?: boolean
  /** More on the result, inside the result card. */
  Result?: Component<{ session: Session<View> }>
  /** The board shows the players itself; the list of seats appears only while a seat is open. */
  seatsOnBoard?: boolean
  /** Whether undo may be offered now; always by default. */
  canUndo?(session: Session<View>): boolean
  /** A translated line of the move list, where the notation is not enough; '' is not announced. */
  entry?(entry: HistoryEntry, session: Session<View>): string
  /** What the user has to do now; the default is *Your turn*. */
  prompt?(session: Session<View>): string | null
  /** A seat's current role, if it changes during the game, as the id of `<game>.seat.<id>`. */
  seatName?(session: Session<View>, seat: number): string | null
  /** A seat's points, shown beside its name. */
  seatScore?(session: Session<View>, seat: number): number | null
  /** Layout of the move list: in columns (default), one per line, or hidden. */
  moves?: 'wide' | 'none'
  /** Reviews a finished game. */
  review?(session: Session<View>, progress: (done: number) => void): Promise<ReviewData>
  settings?: FieldHint[]
  /** Replaces the generated settings form. */
  Settings?: Component<{ values: Record<string, unknown>; ready: boolean }, object, 'values' | 'ready'>
  /** Seat roles for the settings, as ids of `<game>.seat.<id>`, where users choose who takes which. */
  seatRoles?(settings: Record<string, unknown>): string[]
}

/** A board with unknown view and controller types. */
export type AnyBoard = BoardModule<any, any>

/** Registry entry of a game; its parts load on demand. */
export interface BoardEntry {
  /** Board module. */
  board: () => Promise<{ default: AnyBoard }>
  /** Picture for the lobby. */
  picture: () => Promise<{ default: Component }>
  /** Translations. */
  strings: StringsLoader
  /** Seats of *Play now*; by default the user first, then computers of the default level. */
  quickSeats?: (info: GameInfo) => SeatRequest[]
  /** Five levels with a face on the set-up page, weakest first. */
  characters: string[]
  /** Files that open as a game: their extensions, and what opens them. */
  files?: { extensions: string[]; open: (file: File, lang: Lang) => Promise<void> }
  /** Settings that follow the page's language, for *Play now* and as defaults of the set-up page. */
  defaultSettings?: (lang: Lang) => Record<string, unknown> | Promise<Record<string, unknown>>
}
