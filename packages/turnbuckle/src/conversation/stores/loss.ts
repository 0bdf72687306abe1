/** The part of a store that can no longer be read. */
export interface Loss {
  /** The file, where it is one. */
  readonly path?: string
  /** In words, with what to do about it. */
  readonly message: string
  /** Bytes at the end of the write-ahead log that were cut off. */
  readonly bytes?: number
  /** Numbers of events: those that can be read, and those known to be missing. */
  readonly conversations?: readonly { readonly id: string; readonly readable: number; readonly lost: number }[]
}
