/** Measures of the screen for one item. */
export interface ItemView {
  readonly width: number
  /** Lines that something unfinished may take. */
  readonly height: number
  readonly now: number
  /** True for an item that is printed once, above the live ones. */
  readonly settled: boolean
  /** Thoughts and results in full. */
  readonly unfolded: boolean
}
