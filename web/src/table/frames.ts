/** Earlier positions of a table, as the director shows them. */

import type { Table } from '../lib/apiTypes'

/** The table after `ply` actions, with that position's view. It runs, and the seat of the next action is to move. */
export function frameAt<View>(table: Table<View>, ply: number, view: View): Table<View> {
  const next = table.history[ply]
  return {
    ...table,
    ply,
    view,
    history: table.history.slice(0, ply),
    state: 'running',
    to_act: next ? [next.seat] : [],
    outcome: null,
    thinking: null,
    undo_offer: null,
    legal: null,
    can_redo: false,
    rematch: null,
    thoughts: table.thoughts.filter((thought) => thought.ply <= ply),
  }
}
