/** What of a store can no longer be read. */
export interface Loss {
  /** The file, where it is one. */
  readonly path?: string
  /** In words, with what to do about it. */
  readonly message: string
  /** Bytes at the end of the write-ahead log that were cut off. */
  readonly bytes?: number
  /** How many events of each conversation can be read, and how many are known to be missing. */
  readonly conversations?: readonly { readonly id: string; readonly readable: number; readonly lost: number }[]
}
