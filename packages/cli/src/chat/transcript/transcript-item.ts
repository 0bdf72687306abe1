export interface ToolItem {
  readonly kind: 'tool'
  readonly id: string
  /** Call ids are unique within their turn. */
  readonly turnId?: string
  /** The reply that makes the call, while that is being written. */
  readonly messageId?: string
  readonly name: string
  readonly args: unknown
  readonly status: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs?: number
  readonly result?: unknown
  readonly progress?: string
  /** Who answered whether it may run, where that was not only the person at this terminal: `allowed by ada`. */
  readonly answered?: string
  readonly done: boolean
}

/** How an item ended that is not whole: by the person, by a hook, or else by a failure, its length or the end of the process. */
export type CutMark = 'interrupted' | 'stopped' | 'cut off'

export interface ReplyItem {
  readonly kind: 'reply'
  readonly id: string
  readonly text: string
  readonly reasoning: string
  /** Set on a reply that is not whole. */
  readonly cut?: CutMark
  /** Set on the rest of a reply whose beginning is printed. */
  readonly goesOn?: true
  /** Set on a rest that begins inside of a block: no blank line is above it. */
  readonly isInBlock?: true
  /** Markdown of our own that the rest begins with, so that it is read as in the whole. */
  readonly opening?: string
  /** Markdown of our own that ends a part behind which the reply goes on. */
  readonly closing?: string
  readonly done: boolean
}

/** An entry of the transcript. */
export type TranscriptItem =
  | { readonly kind: 'user'; readonly id: string; readonly text: string; readonly done: true }
  | {
      readonly kind: 'notice'
      readonly id: string
      readonly text: string
      /** Set where it is the whole of a question that its box has no room for: the changes that are asked about, or nothing. */
      readonly asked?: string
      readonly tone: 'plain' | 'warn'
      readonly done: true
    }
  | ReplyItem
  | ToolItem
