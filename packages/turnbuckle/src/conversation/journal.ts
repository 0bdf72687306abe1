import { TurnbuckleError } from '../core/errors.ts'
import type { Event, TurnEnded } from '../core/events.ts'
import type { Journal, Note } from '../core/journal.ts'
import { breakRun } from '../core/leave.ts'
import type { Prompt } from '../core/ports.ts'
import { isPath } from '../core/prompt.ts'
import type { Run } from '../core/run.ts'
import type { Thread } from '../core/thread.ts'
import { type Node, pathOf, type TreeNode } from '../core/tree.ts'
import { commitSayably } from './commit-sayably.ts'
import type { ConversationRow, Driver, LogRecord, Maybe } from './driver.ts'
import { andThen } from './driver.ts'
import { printOf } from './prompt-print.ts'
import { ThreadReader } from './thread-reader.ts'

export interface JournalOptions {
  /** How long a writer may be silent before another may take over. */
  readonly leaseMs: number
  /** How long to wait for another writer before giving up. */
  readonly waitMs: number
  readonly holder: string
}

/** How much of a reply that grows may be lost with its process. */
const sketchMs = 50

/** One conversation's log, as its writer. Keeps what happens, commits it together, and tells of it when it is durable. */
export class DurableJournal implements Journal {
  readonly #driver: Driver
  readonly #thread: Thread
  readonly #options: JournalOptions
  readonly #reader: ThreadReader
  #records: Omit<LogRecord, 'n'>[] = []
  #outbox: (() => void)[] = []
  /** The commit under way, and the one that will take what has come since. */
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #soon = false
  #busy = false
  #fence: number | undefined
  /** How many records the log had when it was read last. */
  #n = 0
  /** When the conversation was begun: another time, and it is another one. */
  #since: number | undefined
  #releasing = false
  /** The commit under way gives the conversation up. */
  #lettingGo = false
  #opening: Promise<void> | undefined
  #renewal: ReturnType<typeof setInterval> | undefined
  #broken: unknown
  /** When it was last seen to be the writer. */
  #heldAt = 0
  #sketch: { turnId: string; messageId: string; text: string; reasoning: boolean } | undefined

  constructor(driver: Driver, thread: Thread, options: JournalOptions) {
    this.#driver = driver
    this.#thread = thread
    this.#options = options
    this.#reader = new ThreadReader(driver, thread)
  }

  get ready(): boolean {
    return this.#fence !== undefined
  }

  /** Reads how things stand. */
  attach(): Maybe<void> {
    return andThen(this.#reader.row(), row => {
      if (this.#since !== undefined && row?.createdAt !== this.#since) return this.#lost(row)
      this.#since = row?.createdAt
      if (!row || row.n === this.#n) return
      this.#n = row.n
      return this.#reader.read(row)
    })
  }
  readAll(): Maybe<void> {
    return this.#reader.readAll()
  }
  load(id: string): TreeNode | undefined {
    return this.#reader.load(id)
  }
  nodes(): readonly Node[] | undefined {
    return this.#reader.nodes()
  }
  lastEnd(): Maybe<(TurnEnded & { readonly turnId: string }) | undefined> {
    return this.#reader.lastEnd()
  }

  /** Another process has deleted it. An empty one may have been made here since, by becoming its writer. */
  #lost(row: ConversationRow | undefined): Maybe<void> {
    const { id } = this.#thread
    const letGo = { ...this.#commit([], true), head: undefined }
    const left = this.#fence === undefined ? undefined : row?.n ? this.#driver.commit(letGo) : this.#driver.delete(id)
    const error = new TurnbuckleError('conversation.deleted', `The conversation "${id}" was deleted.`, {
      kind: 'store',
    })
    return andThen(left as Maybe<unknown>, () => this.#break(error))
  }

  refresh(): Maybe<void> {
    if (!this.ready && this.#broken === undefined) return this.#opening ?? this.attach()
  }

  /** Becomes the writer. Waits for another one, then gives up. */
  open(): Maybe<void> {
    if (this.#broken !== undefined) throw this.#broken
    // Who comes while it is being let go of waits for that, and then takes it again.
    if (this.#lettingGo) return this.#running.then(() => this.open())
    if (this.#opening) return this.#opening
    if (this.ready) return
    const opening = andThen(this.#acquire(Date.now() + this.#options.waitMs), () => this.attach())
    if (!(opening instanceof Promise)) return
    this.#opening = opening.finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  #acquire(until: number): Maybe<void> {
    const won = ({ fence }: { fence: number }) => {
      this.#fence = fence
      this.#heldAt = Date.now()
      this.#keepAlive()
      if (this.#records.length) this.#flushSoon()
    }
    const lost = (error: unknown): Promise<void> => {
      if (!(error instanceof TurnbuckleError && error.code === 'conversation.locked') || Date.now() > until) throw error
      return new Promise(resolve => setTimeout(resolve, 25)).then(() => this.#acquire(until))
    }
    try {
      // Where the head is now is not known yet: another may have moved it.
      const got = this.#driver.commit({ ...this.#commit([], false), fence: undefined, head: undefined })
      return got instanceof Promise ? got.then(won, lost) : won(got)
    } catch (error) {
      return lost(error)
    }
  }

  #keepAlive(): void {
    // Where it cannot be said, the next commit will tell.
    this.#renewal ??= setInterval(() => void this.#renew().catch(() => {}), this.#options.leaseMs / 3)
    ;(this.#renewal as { unref?: () => void }).unref?.()
  }
  async #renew(): Promise<void> {
    const { leaseMs, holder } = this.#options
    const fence = this.#fence
    if (fence === undefined) return
    const held = await this.#driver.renew(this.#thread.id, holder, fence, leaseMs)
    if (held) this.#heldAt = Date.now()
    else if (this.#fence === fence && !this.#lettingGo) this.#break(takenOver(this.#thread.id))
  }

  get broken(): unknown {
    return this.#broken
  }
  /** What is in memory may be ahead of the log now: nothing goes on with it. */
  #break(error: unknown): void {
    if (this.#broken !== undefined) return
    this.#broken = error
    this.#letGo()
    this.#records = []
    this.#outbox = []
    this.#sketch = undefined
    for (const run of this.#thread.running) breakRun(run, error)
  }

  prompt(run: Run, messageId: string, prompt: Prompt): void {
    const print = printOf(prompt, isPath(prompt, run.tip) ? undefined : pathOf(run.tip), run.core.instructions)
    if (Object.keys(print).length) this.note(run.id, { note: 'prompt', messageId, ...print })
  }

  sketch(turnId: string, messageId: string, text: string, reasoning: boolean): void {
    if (this.#sketch?.messageId === messageId && this.#sketch.reasoning === reasoning) {
      this.#sketch.text += text
      return
    }
    this.#keepSketch()
    this.#sketch = { turnId, messageId, text, reasoning }
    const timer = setTimeout(() => {
      this.#keepSketch()
      if (this.#records.length) this.barrier().catch(() => {})
    }, sketchMs)
    ;(timer as { unref?: () => void }).unref?.()
  }
  #keepSketch(): void {
    if (!this.#sketch) return
    const { turnId, ...shown } = this.#sketch
    this.#sketch = undefined
    this.note(turnId, { note: 'sketch', ...shown })
  }

  event(event: Event, deliver: () => void): void {
    if (this.#broken !== undefined) return
    if (event.type === 'message.added' || event.type === 'message.discarded') this.#sketch = undefined
    const { type, seq, turnId, conversationId, ...body } = event as Event & Record<string, unknown>
    this.#records.push({ seq, turn: turnId, type, body })
    this.#outbox.push(deliver)
    this.#flushSoon()
  }
  behind(deliver: () => void): void {
    if (this.#broken !== undefined) return
    if (this.#outbox.length || this.#busy) this.#outbox.push(deliver)
    else deliver()
  }
  note(turnId: string, { note, ...body }: Note): void {
    if (this.#broken !== undefined) return
    this.#records.push({ seq: undefined, turn: turnId, type: `note.${note}`, body })
    // What an effect has given is not to be lost while hooks look at it.
    if (note === 'raw' || note === 'reply') this.#flushSoon()
  }

  /** What nobody waits for goes with the next barrier, or when the program next comes to rest. */
  #flushSoon(): void {
    if (this.#soon) return
    this.#soon = true
    setTimeout(() => {
      this.#soon = false
      if (this.#records.length) this.barrier().catch(() => {})
    }, 0)
  }

  barrier(): Promise<void> {
    this.#next ??= this.#running.then(() => this.#write())
    this.#running = this.#next
    return this.#next
  }
  release(): Promise<void> {
    if (this.#thread.running.length) return this.barrier()
    this.#releasing = true
    return this.barrier()
  }

  #write(): Maybe<void> {
    this.#next = undefined
    if (this.#broken !== undefined) throw this.#broken
    // Text that was told before what is written now is there with it.
    this.#keepSketch()
    const records = this.#records
    const outbox = this.#outbox
    const release = this.#releasing && !this.#thread.running.length
    // Kept until this is the writer: what is told is in the log.
    if (this.#fence === undefined && records.length) return
    if (this.#fence === undefined || (!records.length && !release)) return this.#idle(outbox)
    this.#records = []
    this.#outbox = []
    this.#releasing = false
    this.#lettingGo = release
    this.#busy = true
    const done = ({ n }: { n: number }) => {
      this.#busy = false
      this.#lettingGo = false
      this.#heldAt = Date.now()
      this.#n = n
      if (release) this.#letGo()
      deliverAll(outbox)
      if (this.#outbox.length && !this.#records.length) deliverAll(this.#outbox.splice(0))
    }
    const failed = (error: unknown) => {
      this.#busy = false
      this.#lettingGo = false
      this.#break(error)
      throw error
    }
    try {
      const written = commitSayably(this.#driver, this.#commit(records, release))
      return written instanceof Promise ? written.then(done, failed) : done(written)
    } catch (error) {
      return failed(error)
    }
  }

  /** There is nothing to write that would show whether this is still the writer. Nobody takes over before the lease ends. */
  #idle(outbox: (() => void)[]): Maybe<void> {
    if (this.#fence === undefined || Date.now() - this.#heldAt < this.#options.leaseMs / 2) return deliverAll(outbox)
    return this.#renew().then(() => {
      if (this.#broken !== undefined) throw this.#broken
      deliverAll(outbox)
    })
  }

  #letGo(): void {
    this.#fence = undefined
    clearInterval(this.#renewal)
    this.#renewal = undefined
  }

  #commit(records: readonly Omit<LogRecord, 'n'>[], release: boolean) {
    const { id, headId, owner } = this.#thread
    const { holder, leaseMs } = this.#options
    return { conversation: id, holder, fence: this.#fence, leaseMs, release, records, head: headId, owner }
  }

  remove(): Maybe<void> {
    this.#letGo()
    this.#records = []
    this.#outbox = []
    return this.#driver.delete(this.#thread.id)
  }
}

const takenOver = (id: string) =>
  new TurnbuckleError(
    'store.fenced',
    `Another process has taken over the conversation "${id}". This one may not write to it any more.`,
    { kind: 'store' },
  )

const deliverAll = (outbox: (() => void)[]): void => {
  for (const deliver of outbox.splice(0)) deliver()
}
