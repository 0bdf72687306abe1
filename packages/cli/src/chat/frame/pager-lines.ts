import { paint } from '../../text/theme.ts'
import { cutText } from '../../text/wrap-text.ts'
import { itemLines } from '../lines/item-lines.ts'
import type { TranscriptItem } from '../transcript/transcript-item.ts'

interface PagerView {
  /** Rows of the terminal; the last has the keys. */
  readonly rows: number
  /** Lines below the last that is shown. */
  readonly below: number
  /** A question waits behind the page. */
  readonly isAsked?: boolean
}

/** Draws only as many items, from the end, as the page needs. */
export class PagerLines {
  readonly #items: readonly TranscriptItem[]
  readonly #width: number
  /** Lines of the items that were drawn, the last item first. */
  readonly #drawn: (readonly string[])[] = []

  constructor(items: readonly TranscriptItem[], width: number) {
    this.#items = items
    this.#width = width
  }

  get width(): number {
    return this.#width
  }

  /** A page, and the number of lines below it: no more than there are. */
  page({ rows, below, isAsked = false }: PagerView): { readonly lines: readonly string[]; readonly below: number } {
    const height = Math.max(1, rows - 1)
    const tail = this.#tail(height + below)
    const last = Math.min(below, Math.max(0, tail.length - height))
    const from = Math.max(0, tail.length - height - last)
    const shown = tail.slice(from, from + height)
    const lines = [...shown, ...Array.from({ length: height - shown.length }, () => '')]
    const keys = isAsked
      ? '● a question waits for you · Esc closes'
      : '↑ ↓ line · PgUp PgDn page · Home End · Esc closes'
    return {
      lines: [...lines, paint('chosen', cutText(keys, this.#width))],
      below: last,
    }
  }

  /** At least so many lines from the end, where there are as many. */
  #tail(count: number): readonly string[] {
    let height = this.#drawn.reduce((sum, { length }) => sum + length, 0)
    while (height < count && this.#drawn.length < this.#items.length) {
      const item = this.#items[this.#items.length - 1 - this.#drawn.length]
      const view = { width: this.#width, height: Infinity, now: Date.now(), settled: true, unfolded: true }
      const lines = item ? itemLines(item, view) : []
      this.#drawn.push(lines)
      height += lines.length
    }
    return this.#drawn.toReversed().flat()
  }
}
