import { areLow } from '../lines/growing-lines.ts'
import { itemLines } from '../lines/item-lines.ts'
import { resultFiles } from '../lines/result-files.ts'
import { type PictureProtocol, type Thumbnail, thumbnail } from '../lines/thumbnail.ts'
import { type BlockCut, closeMarks, cutBlock } from '../markdown/cut-block.ts'
import {
  finishedLength,
  isMarkdownLoaded,
  loadMarkdown,
  markdownBlocks,
  renderMarkdown,
} from '../markdown/render-markdown.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import type { ReplyItem, TranscriptItem } from '../transcript/transcript-item.ts'
import type { PrintedLine } from './screen.ts'

interface Room {
  readonly width: number
  /** Rows of the terminal. */
  readonly rows: number
}

/** The beginning of a reply that is printed, and how its rest is drawn. */
interface Printed {
  readonly text: string
  /** Markdown that the rest begins with to be read as before. */
  readonly opening: string
  /** True where the rest is inside of a block. */
  readonly isInBlock: boolean
}

const nothing: Printed = { text: '', opening: '', isInBlock: false }

/**
 * Gives the lines of the transcript that will not change any more, each once. A growing reply gives its finished blocks
 * while the rest is still being written, and the finished lines of a block that becomes too high to be drawn again.
 */
export class TranscriptPrinter {
  /** Called when a parser was loaded that a text has waited for. */
  readonly #onLoad: () => void
  readonly #pictures: PictureProtocol | undefined
  #epoch = -1
  /** Number of past items that are printed. */
  #count = 0
  /** Beginnings of replies, by their ids. */
  readonly #printed = new Map<string, Printed>()
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
    // Before the first words of a reply: what waits for the parser is not drawn.
    if (state.running) void loadMarkdown()
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
    if (first?.kind === 'reply' && !first.done && this.#isReady(first))
      lines.push(...this.#finishedBlocks(first, state, room), ...this.#finishedLines(first, state, room))
    return lines
  }

  /** A live item without what is printed of it, or what cannot be drawn yet: lines that nothing prints would become too many. */
  rest(item: TranscriptItem): TranscriptItem {
    if (item.kind !== 'reply') return item
    return isMarkdownLoaded(item.text) ? this.#restOf(item) : { ...item, text: '' }
  }

  #restOf(item: ReplyItem): ReplyItem {
    const { text, opening, isInBlock } = this.#printedOf(item)
    if (!text) return item
    const rest = { ...item, text: item.text.slice(text.length), opening, goesOn: true } as const
    // Emphasis that goes on from a printed part is drawn as such before its end is written.
    const closing = opening && !item.done ? closeMarks(opening + rest.text) : ''
    return isInBlock ? { ...rest, closing, isInBlock } : { ...rest, closing }
  }

  /** A reply that is told anew with other words has nothing printed. */
  #printedOf({ id, text }: ReplyItem): Printed {
    const printed = this.#printed.get(id)
    return printed && text.startsWith(printed.text) ? printed : nothing
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

  #finishedBlocks(item: ReplyItem, state: ChatState, room: Room): readonly string[] {
    const { text, opening } = this.#restOf(item)
    const length = finishedLength(text, opening)
    return length ? this.#beginning(item, { length, closing: '', opening: '', isApart: true }, state, room) : []
  }

  #finishedLines(item: ReplyItem, state: ChatState, { width, rows }: Room): readonly string[] {
    const rest = this.#restOf(item)
    const isTable = markdownBlocks((rest.opening ?? '') + rest.text)[0]?.type === 'table'
    if (areLow(renderMarkdown(rest.text, width, rest), isTable)) return []
    const block = { text: rest.text, opening: rest.opening ?? '', width }
    const cut = cutBlock(block) ?? cutBlock(block, true)
    return cut ? this.#beginning(item, cut, state, { width, rows }) : []
  }

  /** Prints what is before a cut in the rest of a reply. */
  #beginning(item: ReplyItem, cut: BlockCut, { unfolded }: ChatState, room: Room): readonly string[] {
    const printed = this.#printedOf(item)
    const rest = this.#restOf(item)
    const text = rest.text.slice(0, cut.length)
    this.#printed.set(item.id, { text: printed.text + text, opening: cut.opening, isInBlock: !cut.isApart })
    return this.#lines({ ...rest, text, closing: cut.closing, done: true }, room, unfolded)
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
