/** The part of the screen that changes: lines below the transcript, and the place of the terminal's own cursor in them. */
export interface Frame {
  readonly lines: readonly string[]
  /** Undefined hides the cursor. */
  readonly cursor: FrameCursor | undefined
}

/** A place in the frame, row and column from 0. */
export interface FrameCursor {
  readonly row: number
  readonly column: number
  /** Set while nobody writes there: inside of tmux a block is drawn in the cursor's place. */
  readonly isResting?: boolean
}
