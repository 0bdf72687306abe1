import { itemLines } from '../lines/item-lines.ts'
import { resultFiles } from '../lines/result-files.ts'
import { type PictureProtocol, type Thumbnail, thumbnail } from '../lines/thumbnail.ts'
import { finishedLength, isMarkdownLoaded, loadMarkdown } from '../markdown/render-markdown.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import type { ReplyItem, TranscriptItem } from '../transcript/transcript-item.ts'
import type { PrintedLine } from './screen.ts'

interface Room {
  readonly width: number
  /** Rows of the terminal. */
  readonly rows: number
}

/**
 * Gives the lines of the transcript that will not change any more, each once. A growing reply gives its finished blocks
 * while the rest is still being written.
 */
export class TranscriptPrinter {
  /** Called when a parser was loaded that a text has waited for. */
  readonly #onLoad: () => void
  readonly #pictures: PictureProtocol | undefined
  #epoch = -1
  /** Number of past items that are printed. */
  #count = 0
  /** Characters of replies that are printed. */
  readonly #printed = new Map<string, string>()
  /** Whole items that are printed: a resumed turn tells them again. */
  readonly #whole = new Set<string>()

  constructor(onLoad: () => void, pictures: PictureProtocol | undefined) {
    this.#onLoad = onLoad
    this.#pictures = pictures
  }

  /** True when the state has a new epoch: other items than those that are printed. */
  isNewEpoch({ epoch }: ChatState): boolean {
    return epoch !== this.#epoch
  }

  /** Lines to print now. */
  take(state: ChatState, room: Room): readonly PrintedLine[] {
    const lines: PrintedLine[] = []
    if (this.isNewEpoch(state)) lines.push(...this.#begin(state, room))
    // A turn that is resumed takes the items of its first run away; it tells them again.
    this.#count = Math.min(this.#count, state.past.length)
    while (this.#count < state.past.length) {
      const item = state.past[this.#count]
      if (!item || !this.#isReady(item)) return lines
      lines.push(...this.#settled(item, state, room))
      this.#count++
    }
    const [first] = state.live
    if (first?.kind === 'reply') lines.push(...this.#finishedBlocks(first, state, room))
    return lines
  }

  /** A live item without what is printed of it. */
  rest(item: TranscriptItem): TranscriptItem {
    const printed = item.kind === 'reply' ? (this.#printed.get(item.id) ?? '') : ''
    if (item.kind !== 'reply' || !printed || !item.text.startsWith(printed)) return item
    return { ...item, text: item.text.slice(printed.length), goesOn: true }
  }

  /** Only the last screen of a long transcript is printed; the pager has all of it. */
  #begin({ past, epoch, hasOlder }: ChatState, { width, rows }: Room): readonly string[] {
    this.#epoch = epoch
    this.#printed.clear()
    this.#whole.clear()
    this.#count = 0
    // Notices at the beginning are about the chat, not about what was said.
    const notices = Math.max(
      0,
      past.findIndex(({ kind }) => kind !== 'notice'),
    )
    let height = 0
    let from = past.length
    while (from > notices && height < rows) {
      from--
      const item = past[from]
      if (item) height += roughHeight(item, width)
    }
    if (from === notices && !hasOlder) return []
    const head = past.slice(0, notices).flatMap(item => this.#lines(item, { width, rows }, false))
    this.#count = from
    return [...head, ...this.#lines(earlier, { width, rows }, false)]
  }

  #lines(item: TranscriptItem, { width, rows }: Room, unfolded: boolean): readonly string[] {
    return itemLines(item, { width, height: rows, now: 0, settled: true, unfolded })
  }

  #settled(item: TranscriptItem, { unfolded }: ChatState, room: Room): readonly PrintedLine[] {
    const key = `${item.kind} ${'turnId' in item ? item.turnId : ''} ${item.id}`
    if (this.#whole.has(key)) return []
    const rest = this.rest(item)
    this.#printed.delete(item.id)
    if (!('cut' in item && item.cut) && !(item.kind === 'tool' && item.status === 'cut off')) this.#whole.add(key)
    return [...this.#lines(rest, room, unfolded), ...this.#thumbnails(item, room)]
  }

  #thumbnails(item: TranscriptItem, { width }: Room): readonly Thumbnail[] {
    const protocol = this.#pictures
    if (!protocol || item.kind !== 'tool') return []
    return resultFiles(item.result).flatMap(file => thumbnail(file, protocol, width) ?? [])
  }

  #finishedBlocks(item: ReplyItem, { unfolded }: ChatState, room: Room): readonly string[] {
    if (item.done || !this.#isReady(item)) return []
    const rest = this.rest(item) as ReplyItem
    const length = finishedLength(rest.text)
    if (!length) return []
    const text = rest.text.slice(0, length)
    this.#printed.set(item.id, (rest.goesOn ? (this.#printed.get(item.id) ?? '') : '') + text)
    return this.#lines({ ...rest, text, done: true }, room, unfolded)
  }

  /** A reply waits until what draws its Markdown is loaded: a printed line cannot be drawn again. */
  #isReady(item: TranscriptItem): boolean {
    if (item.kind !== 'reply' || isMarkdownLoaded(item.text)) return true
    void loadMarkdown().then(this.#onLoad)
    return false
  }
}

/** Rows of an item, counted without drawing it. */
const roughHeight = (item: TranscriptItem, width: number): number =>
  item.kind === 'tool'
    ? 8
    : item.text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 1)

const earlier: TranscriptItem = {
  kind: 'notice',
  id: 'earlier',
  text: '… there is more before this: Ctrl-O shows it',
  tone: 'plain',
  done: true,
}
