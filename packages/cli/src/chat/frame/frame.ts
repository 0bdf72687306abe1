/** The part of the screen that changes: lines below the transcript, and the place of the terminal's own cursor in them. */
export interface Frame {
  readonly lines: readonly string[]
  /** Row and column in the frame, from 0. */
  readonly cursor: { readonly row: number; readonly column: number }
}
