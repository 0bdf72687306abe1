import type { Pace } from '../feeds/paced-follower.ts'

/** Characters of a piece. An event that has more is given piece by piece, each when the reader has taken the one before. */
const pieceLength = 16 * 1024
/** The share of the limit that one long event counts for at the most: as many may wait, however long they are. */
const longShare = 1 / 8

/** How much one reader may let wait. */
export interface ReaderLimit {
  readonly bytes: number
  /** Milliseconds after which a reader is cut off that takes nothing while events wait for it. */
  readonly stallMs: number
}

/** Told that the reader has taken something; with an error, that the connection is closing and it never will. */
export type Taken = (error?: Error | null) => void

/** The connection to one reader of events. */
export interface OutboxSink {
  /** Bytes that were given and not taken yet. */
  readonly waiting: number
  /** Gives a line, or a piece of one. `taken` is called when the reader has taken it. */
  give(piece: string, isLast: boolean, taken?: Taken): void
  /** Calls back when the reader has taken all it was given. */
  whenTaken(taken: Taken): void
  /** Ends the connection once all that was given is taken. */
  end(): void
  /** The reader is too slow. Nothing is given any more. */
  cutOff(): void
}

/**
 * Lines on their way to one reader. At most `limit.bytes` wait for it; a reader that lets more wait, or stalls, is cut off, alone. A
 * line that is longer than the limit reaches a reader that reads.
 */
export class Outbox {
  readonly #sink: OutboxSink
  readonly #limit: number
  readonly #stallMs: number
  /** Lines behind a long one that is being given. */
  readonly #lines: string[] = []
  #weight = 0
  #isGivingLong = false
  #isEnding = false
  #isOver = false
  /** What the sink was given so far, in the bytes that it counts as waiting. */
  #given = 0
  /** Feeds that wait until the reader can take more events. */
  readonly #paused = new Set<() => void>()
  /** The reader was asked to tell when it has taken what it was given. */
  #isAsked = false
  #timer: NodeJS.Timeout | undefined
  /** The reader has said that it took something since the timer was set. */
  #hasTaken = false

  constructor(limit: ReaderLimit, sink: OutboxSink) {
    this.#limit = limit.bytes
    this.#stallMs = limit.stallMs
    this.#sink = sink
  }

  send(line: string): void {
    if (this.#isOver || this.#isEnding) return
    if (this.#waiting > this.#limit) this.cutOff()
    else if (!this.#isGivingLong && line.length <= pieceLength) this.#give(line, true)
    else {
      this.#lines.push(line)
      this.#weight += this.#weightOf(line)
      if (!this.#isGivingLong) this.#giveNext()
    }
  }
  #give(piece: string, isLast: boolean, taken?: Taken): void {
    const before = this.#sink.waiting
    this.#sink.give(piece, isLast, taken)
    this.#given += this.#sink.waiting - before
  }
  get #taken(): number {
    return this.#given - this.#sink.waiting
  }
  get #waiting(): number {
    return this.#weight + this.#sink.waiting
  }
  #weightOf(line: string): number {
    return Math.min(line.length, this.#limit * longShare)
  }

  #giveNext(): void {
    this.#isGivingLong = false
    for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
      this.#weight -= this.#weightOf(line)
      if (line.length > pieceLength) {
        this.#giveLong(line, 0)
        return
      }
      this.#give(line, true)
    }
    if (this.#isEnding) this.#endNow()
    else if (this.#paused.size) this.#resumeWhenTaken()
  }
  #giveLong(line: string, from: number): void {
    this.#isGivingLong = true
    const end = pieceEnd(line, from)
    const isLast = end === line.length
    this.#expectProgress()
    this.#give(line.slice(from, end), isLast, error => {
      this.#progressed()
      if (error) this.close()
      if (this.#isOver) return
      if (isLast) this.#giveNext()
      else this.#giveLong(line, end)
    })
  }

  /**
   * A feed is held up while half of the limit waits; one of the log's past also while a long event is being given. What comes in a burst
   * says nothing of the reader, which has had no moment to take it.
   */
  readonly pace: Required<Pace> = {
    past: () => (this.#isGivingLong || this.#isHalfFull ? this.#untilTaken() : undefined),
    live: () => (this.#isHalfFull ? this.#untilTaken() : undefined),
  }
  get #isHalfFull(): boolean {
    return this.#waiting > this.#limit / 2
  }
  #untilTaken(): Promise<void> | undefined {
    if (this.#isOver) return undefined
    return new Promise(resolve => {
      this.#paused.add(resolve)
      if (!this.#isGivingLong) this.#resumeWhenTaken()
    })
  }
  /** One answer of the reader is for all feeds that wait. */
  #resumeWhenTaken(): void {
    this.#expectProgress()
    if (this.#isAsked) return
    this.#isAsked = true
    this.#sink.whenTaken(error => {
      this.#isAsked = false
      if (error) return this.close()
      if (!this.#isGivingLong) this.#progressed()
      this.#resume()
    })
  }
  #resume(): void {
    const paused = [...this.#paused]
    this.#paused.clear()
    for (const resolve of paused) resolve()
  }
  /** Cuts a reader off that takes nothing from now on. One that has taken something by then, and not all, has as long again. */
  #expectProgress(): void {
    if (this.#timer) return
    const before = this.#taken
    this.#hasTaken = false
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#hasTaken || this.#taken > before) this.#expectProgress()
      else this.cutOff()
    }, this.#stallMs)
  }
  /** The reader has shown that it takes what it is given, however much of it the system's buffers still hold. */
  tookSome(): void {
    this.#hasTaken = true
  }
  #progressed(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Ends the connection behind the last line. */
  end(): void {
    if (this.#isOver || this.#isEnding) return
    this.#isEnding = true
    if (!this.#isGivingLong) this.#endNow()
  }
  #endNow(): void {
    this.close()
    this.#sink.end()
  }
  cutOff(): void {
    if (this.#isOver) return
    this.close()
    this.#sink.cutOff()
  }
  /** The connection is gone: drops the lines, and lets feeds that wait for it go on. */
  close(): void {
    this.#isOver = true
    this.#progressed()
    this.#lines.length = 0
    this.#weight = 0
    this.#resume()
  }
}

/** The end of the piece that begins at `from`; the two halves of a surrogate pair stay together. */
function pieceEnd(line: string, from: number): number {
  const end = Math.min(from + pieceLength, line.length)
  const isHigh = end < line.length && (line.charCodeAt(end - 1) & 0xfc00) === 0xd800
  return isHigh ? end + 1 : end
}
