/** What a game gives to the page. See web/README.md, "Add a board". */

import type { Component } from 'svelte'
import type { Lang, StringsLoader } from '../lib/i18n.svelte'
import type { GameInfo, HistoryEntry, SeatRequest } from '../lib/types'
import type { Session } from '../table/session.svelte'

/** Whatever a game's board and tools share besides the session; made once per table, dropped with it. */
export interface Controller {
  /** Asked for by the shared *Hint* button, where the game has hints. */
  hint?(): Promise<void>
  /** Keys that neither an input nor the move list took. Returns whether it used the key. */
  key?(event: KeyboardEvent): boolean
  /** Called when the table is left. */
  stop?(): void
}

/** Where a game stood after a move, for the curve under the board. */
export interface CurvePoint {
  ply: number
  /** Probability from 0 to 1 that the seat the curve is drawn for wins. */
  p: number
}

/** A move worth stopping at in a review. */
export interface Moment {
  ply: number
  /** The moment to show for it, where that is another one: a missed move is seen before the mistake. */
  show?: number
  kind: 'blunder' | 'mistake' | 'good' | 'note'
  text: string
}

export interface ReviewData {
  /** The seat the curve is drawn for. */
  seat: number
  curve: CurvePoint[]
  moments: Moment[]
}

/** How a setting of the game is offered on the *Choose* page; others follow the schema that the server sends. */
export interface FieldHint {
  /** The settings' field. */
  field: string
  /** Values offered, in order; each is named `<game>.setting.<field>.<value>` or shown as it is. */
  choices?: (string | number | boolean)[]
  /** Leave it out of the form. */
  hidden?: boolean
  /** A part of the game's own that edits the field. */
  editor?: Component<{ value: unknown; change: (value: unknown) => void; settings: Record<string, unknown> }>
}

export interface BoardModule<View = unknown, C extends Controller = Controller> {
  controller(session: Session<View>): C
  /** Draws `session.view` and acts through `session.act`. */
  Board: Component<{ session: Session<View>; ctl: C }>
  /** The game's own tools beside the board: analysis, import and export, options of display. */
  Tools?: Component<{ session: Session<View>; ctl: C }>
  /** The view after `ply` actions, where the newest view tells it; otherwise the server is asked. */
  viewAt?(view: View, ply: number, table: Session<View>['table']): View | null
  /** A line of the move list in the reader's words, where the notation is not enough; '' is not announced. */
  entry?(entry: HistoryEntry, session: Session<View>): string
  /** One sentence on what the person at `seat` is asked to do; the shared one is *Your turn*. */
  prompt?(session: Session<View>): string | null
  /** A seat's role when it changes during the game (colours after a swap), as the id of `<game>.seat.<id>`. */
  seatName?(session: Session<View>, seat: number): string | null
  /** Points a seat has, where the game counts any; shown beside its name. */
  seatScore?(session: Session<View>, seat: number): number | null
  /** How the move list is shown: side by side unless told, one below the other, or not at all where single actions mean little. */
  moves?: 'wide' | 'none'
  /** Looks at a finished game again. */
  review?(session: Session<View>, progress: (done: number) => void): Promise<ReviewData>
  settings?: FieldHint[]
  /** The whole choice of settings on *Choose*, where a form of fields is not enough. */
  Settings?: Component<{ values: Record<string, unknown>; ready: boolean }, object, 'values' | 'ready'>
  /** The seats that settings make, as ids of `<game>.seat.<id>`, where people choose who sits where. */
  places?(settings: Record<string, unknown>): string[]
}

/** A board whose view and controller only its own parts know. */
export type AnyBoard = BoardModule<any, any>

/** One line of the registry: everything heavy is loaded when it is first needed. */
export interface BoardEntry {
  /** The board itself; its default export is a `BoardModule`. */
  board: () => Promise<{ default: AnyBoard }>
  /** A small picture of the real board for the lobby. */
  picture: () => Promise<{ default: Component }>
  /** The game's words. */
  strings: StringsLoader
  /** Who sits where on *Play now*; by default me and computers of the default level. */
  quick?: (info: GameInfo) => SeatRequest[]
  /** Settings that follow the language of the page, on *Play now* and as first choice on *Choose*. */
  settingsFor?: (lang: Lang) => Record<string, unknown> | Promise<Record<string, unknown>>
}
