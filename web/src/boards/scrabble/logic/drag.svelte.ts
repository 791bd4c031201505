/** Drag and drop of a tile: from the rack to the board, along the rack, and back. */

import type { ScrabbleController } from '../controller.svelte'
import type { Square } from '../model'

/** Pointer distance in pixels that turns a press into a drag. */
const DRAG_DISTANCE_PX = 6

export class TileDrag {
  /** Dragged tile; null when none is. */
  id = $state<number | null>(null)
  x = $state(0)
  y = $state(0)
  /** Square below the pointer. */
  over = $state.raw<Square | null>(null)
  /** Whether a finger drags; it covers what is below it. */
  touch = $state(false)
  /** Set by the board: square at a window position. */
  squareUnder: (x: number, y: number) => Square | null = () => null
  /** Set by the rack: index at a window position; null outside the rack. */
  placeUnder: (x: number, y: number) => number | null = () => null
  #ctl: ScrabbleController
  #end: (() => void) | null = null
  #dropped = false

  constructor(ctl: ScrabbleController) {
    this.#ctl = ctl
  }

  /** Starts on pointer down; a short press stays a click. */
  start(event: PointerEvent, id: number): void {
    if (event.button !== 0 || !this.#ctl.arranging || this.#ctl.exchanging || this.#end) return
    const from = { x: event.clientX, y: event.clientY }
    this.touch = event.pointerType === 'touch'
    this.#dropped = false
    const move = (event: PointerEvent): void => {
      if (this.id === null && Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG_DISTANCE_PX) return
      this.id = id
      this.x = event.clientX
      this.y = event.clientY - (this.touch ? 34 : 0)
      this.over = this.squareUnder(this.x, this.y)
      event.preventDefault()
    }
    const up = (event: PointerEvent): void => {
      const dragged = this.id !== null
      this.#end?.()
      if (!dragged || event.type === 'pointercancel') return
      // A click follows only if the pointer went up where it went down.
      this.#dropped = true
      setTimeout(() => (this.#dropped = false))
      this.#drop(id, event)
    }
    this.#end = () => {
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', up)
      this.#end = null
      this.id = null
      this.over = null
    }
    addEventListener('pointermove', move, { passive: false })
    addEventListener('pointerup', up)
    addEventListener('pointercancel', up)
  }

  #drop(id: number, event: PointerEvent): void {
    const square = this.squareUnder(event.clientX, event.clientY - (this.touch ? 34 : 0))
    if (square) {
      if (this.#ctl.lay(id, square)) this.#ctl.cursor = null
      return
    }
    const place = this.placeUnder(event.clientX, event.clientY)
    if (place === null) this.#ctl.takeBack(id)
    else this.#ctl.arrange(id, place)
  }

  /** Whether the next click ends a drag and must be ignored; resets itself. */
  swallowsClick(): boolean {
    const dropped = this.#dropped
    this.#dropped = false
    return dropped
  }

  stop(): void {
    this.#end?.()
  }
}
