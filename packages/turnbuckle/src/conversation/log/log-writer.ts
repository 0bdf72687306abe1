import { TurnbuckleError } from '../../core/base/errors.ts'
import type {
  AnswerDesk,
  Log,
  LoggedConversation,
  LogLoss,
  LogNews,
  LogReadings,
  LogRecord,
  Release,
} from '../../core/durable/log-port.ts'
import type { PromptChanges } from '../../core/durable/prompt-changes.ts'
import type { HandedAnswer } from '../../core/events/request.ts'
import { newsOf, type StoreNews } from '../channel/store-news.ts'
import { KeptFiles } from '../files/kept-files.ts'
import type { GapReader } from '../read/gap-reader.ts'
import { LogReader } from '../read/log-reader.ts'
import { promptFingerprint } from '../replay/prompt-fingerprint.ts'
import { andThen, type Commit, type ConversationRow, type Driver, type Maybe, type Readings } from '../stores/driver.ts'
import { fenced } from '../stores/refusals.ts'
import type { AnswerDesks } from './answer-desks.ts'
import { commitAsJson } from './commit-as-json.ts'
import { Lease, type LeaseOptions } from './lease.ts'
import { growPartialReply, isPartialReply, withoutPartialReply } from './partial-reply.ts'

/** Milliseconds that an event waits for a barrier to go along with, while nothing waits behind it: a frame of a screen. */
const toldWithin = 16

export interface LogWriterOptions extends LeaseOptions {
  /** Told of what the store has got; undefined where nobody is to hear of it. */
  readonly announce: ((news: StoreNews | undefined) => void) | undefined
  readonly desks: AnswerDesks
}

type Reader = { readonly [What in keyof LogReadings]: (id: string) => Maybe<LogReadings[What]> }

/** The log of a conversation on a driver: commits records together, and tells when they are durable. */
export class LogWriter implements Log {
  readonly #driver: Driver
  readonly #conversation: LoggedConversation
  readonly #options: LogWriterOptions
  readonly #lease: Lease
  readonly #reader: LogReader
  readonly #readings: Reader
  readonly desk: AnswerDesk
  #records: LogRecord[] = []
  #outbox: (() => void)[] = []
  /** The commit under way, and the next one, which takes the records that have come since. */
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  /** Flushes what waits; `#flushAt` is when. */
  #flushing: ReturnType<typeof setTimeout> | undefined
  #flushAt = Infinity
  /** Flushes what nobody waits for. A commit before it takes that along: a late flush would cut the next turn's records in two. */
  #later: ReturnType<typeof setTimeout> | undefined
  #busy = false
  /** A record, a listener or a barrier waits for the disk: the next commit is synced. */
  #mustSync = false
  /** Records were committed that are not synced yet. */
  #unsynced = false
  /** Number of records in the log when it was last read or written here. */
  #n = 0
  /** When the conversation was begun: one with another time is another conversation. */
  #since: number | undefined
  #isIdle: (() => boolean) | undefined
  /** The commit under way gives the conversation up. */
  #lettingGo = false
  #reading: Promise<LogNews> | undefined
  #loss: LogLoss | undefined

  constructor(driver: Driver, tree: GapReader, conversation: LoggedConversation, options: LogWriterOptions) {
    this.#driver = driver
    this.#conversation = conversation
    this.#options = options
    this.#lease = new Lease(driver, conversation, options, () => {
      if (!this.#lettingGo) this.#lose('takenOver', fenced(conversation.id))
    })
    const reader = new LogReader(driver, tree, conversation.id)
    this.desk = {
      hand: given => !this.#isWriter && this.#handToWriter(given),
      attend: take => options.desks.attend(conversation.id, take),
    }
    this.#reader = reader
    this.#readings = {
      news: () => (this.#isWriter ? { status: 'unchanged' } : this.#readNews()),
      newsAtOnce: () => this.#readChanges(reader.atOnce),
      newsToWrite: () => this.#readToWrite(),
      nodes: () => reader.nodes(),
      nodesAtOnce: () => reader.nodesAtOnce(),
      pathAtOnce: tip => reader.pathAtOnce(tip),
      lastEnd: () => reader.lastEnd(),
      endOf: id => reader.endOf(id),
      turnStatus: id => reader.turnStatus(id),
      file: id => new KeptFiles(driver).dataIn(conversation.id, id),
    }
  }

  get #isWriter(): boolean {
    return this.#lease.fence !== undefined
  }

  read<What extends keyof LogReadings>(what: What, id = ''): Maybe<LogReadings[What]> {
    return this.#readings[what](id)
  }

  #handToWriter(given: HandedAnswer): Maybe<boolean> {
    const { id } = this.#conversation
    return andThen(
      this.#reader.atOnce.conversation(id),
      row => row?.held === true && this.#options.desks.hand(id, given),
    )
  }

  /** A reading that comes while another is under way looks again when that is done. */
  #readNews(): Maybe<LogNews> {
    const again = () => this.#readNews()
    if (this.#reading) return this.#reading.then(again, again)
    const reading = this.#readChanges(this.#reader.later)
    if (!(reading instanceof Promise)) return reading
    this.#reading = reading.finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }
  #readChanges(from: Readings): Maybe<LogNews> {
    if (this.#loss) return { status: 'lost', ...this.#loss }
    const isWriter = this.#isWriter
    const known = this.#n
    return andThen(this.#reader.row(from), row => {
      // This became the writer while the store was asked: another process may have written just before.
      if (isWriter !== this.#isWriter) return this.#readChanges(from)
      if (this.#isAnother(row, known)) return this.#readDeleted(row)
      this.#since = row?.createdAt
      if (!row || row.n === this.#n) return { status: 'unchanged' }
      return andThen(this.#reader.contents(row, this.#conversation.unwritten(), from), contents => {
        // Last, so that a reading that failed is repeated.
        this.#n = Math.max(this.#n, row.n)
        return { status: 'changed', contents }
      })
    })
  }
  /** True for a conversation that was begun after this one was deleted, maybe in the same millisecond: a log only grows. */
  #isAnother(row: ConversationRow | undefined, known: number): boolean {
    return this.#since !== undefined && (row?.createdAt !== this.#since || row.n < known)
  }
  /** Another process has deleted the conversation. By becoming the writer this one may have made an empty one since. */
  #readDeleted(row: ConversationRow | undefined): Maybe<LogNews> {
    const { id } = this.#conversation
    const letGo = { ...this.#commit([], true), head: undefined }
    const left = !this.#isWriter ? undefined : row?.n ? this.#driver.commit(letGo) : this.#driver.delete(id)
    return andThen(left as Maybe<unknown>, () => ({ status: 'lost', ...this.#lose('deleted', deleted(id)) }))
  }

  /** Becomes the writer. Waits for another one, then gives up. */
  #readToWrite(): Maybe<LogNews> {
    if (this.#loss) return { status: 'lost', ...this.#loss }
    const { damage } = this.#reader
    if (damage) return { status: 'refused', error: damage }
    // While the conversation is being let go of, this waits for the end of that, and then takes it again.
    if (this.#lettingGo) return this.#running.then(() => this.#readToWrite())
    if (this.#isWriter) return { status: 'unchanged' }
    return andThen(this.#lease.acquire(), ({ n, createdAt }): Maybe<LogNews> => {
      // Lost while it waited: the conversation that it has just made again goes.
      if (this.#loss) return andThen(this.#reader.row(), row => this.#readDeleted(row))
      if (this.#records.length) this.#flushWithin(0)
      // Nobody has written, nor begun it anew, since it was read or written here.
      if (createdAt !== undefined && createdAt === this.#since && n === this.#n) return { status: 'unchanged' }
      return this.#readNews()
    })
  }

  #lose(why: LogLoss['why'], error: unknown): LogLoss {
    // A log that was lost before may have become the writer since.
    this.#lease.abandon()
    if (this.#loss) return this.#loss
    this.#loss = { why, error }
    this.#records = []
    this.#outbox = []
    this.#conversation.onLost(this.#loss)
    return this.#loss
  }

  append(record: LogRecord | undefined, delivered?: () => void, within?: number): void {
    if (this.#loss) return
    if (record) this.#keep(record, within, delivered !== undefined)
    if (!delivered) return
    const isDurable = !record && !this.#outbox.length && !this.#busy
    if (isDurable) delivered()
    else this.#outbox.push(delivered)
    if (!record && !isDurable) this.#flushWithin(0)
  }
  #keep(record: LogRecord, within: number | undefined, isTold: boolean): void {
    const { type, body } = record
    if (type === 'message.added' || type === 'message.discarded')
      this.#records = withoutPartialReply(this.#records, body['messageId'])
    if (isPartialReply(record) && growPartialReply(this.#records, record)) return
    this.#records.push(type === 'note.prompt' ? { ...record, body: withFingerprint(body) } : record)
    if (isTold || within === 0) {
      this.#mustSync = true
      this.#flushWithin(isTold ? toldWithin : 0)
    } else if (within && this.#later === undefined) {
      this.#later = setTimeout(() => {
        this.#later = undefined
        this.#flush()
      }, within)
      unreferenced(this.#later)
    }
  }

  /** Records that nobody waits for go with the next barrier; those that somebody waits for, within some milliseconds. */
  #flushWithin(ms: number): void {
    const at = Date.now() + ms
    if (this.#flushAt <= at) return
    clearTimeout(this.#flushing)
    this.#flushAt = at
    this.#flushing = setTimeout(() => {
      this.#flushAt = Infinity
      this.#flush()
    }, ms)
  }
  #flush(): void {
    if (this.#records.length) this.#writeNext().catch(() => {})
  }

  barrier(): Promise<void> {
    this.#mustSync = true
    return this.#writeNext()
  }
  #writeNext(): Promise<void> {
    this.#next ??= this.#running.then(() => this.#write())
    this.#running = this.#next
    return this.#next
  }

  #write(): Maybe<void> {
    this.#next = undefined
    if (this.#loss) throw this.#loss.error
    const records = this.#records
    const outbox = this.#outbox
    const release = this.#isIdle?.() ?? false
    // Records wait until this is the writer: an event that is told is in the log.
    if (!this.#isWriter && records.length) return
    const synced = this.#mustSync && (records.length > 0 || this.#unsynced)
    if (!this.#isWriter || (!records.length && !release && !synced)) return this.#deliverUnwritten(outbox)
    this.#records = []
    this.#outbox = []
    this.#isIdle = undefined
    this.#mustSync = false
    clearTimeout(this.#flushing)
    this.#flushAt = Infinity
    clearTimeout(this.#later)
    this.#later = undefined
    this.#unsynced = !synced && (records.length > 0 || this.#unsynced)
    this.#lettingGo = release
    this.#busy = true
    const done = ({ n }: { n: number }) => {
      this.#busy = false
      this.#lettingGo = false
      this.#lease.seen()
      this.#n = n
      if (release) this.#lease.end()
      this.#options.announce?.(newsOf({ conversation: this.#conversation.id, records, release }))
      deliverAll(outbox)
      if (this.#outbox.length && !this.#records.length) deliverAll(this.#outbox.splice(0))
    }
    const failed = (error: unknown) => {
      this.#busy = false
      this.#lettingGo = false
      this.#lose('failed', error)
      throw error
    }
    try {
      const written = commitAsJson(this.#driver, { ...this.#commit(records, release), unsynced: !synced })
      return written instanceof Promise ? written.then(done, failed) : done(written)
    } catch (error) {
      return failed(error)
    }
  }

  /** Delivers where no record is to be written whose commit would show whether this is still the writer. */
  #deliverUnwritten(outbox: (() => void)[]): Maybe<void> {
    if (!this.#lease.unsure) return deliverAll(outbox)
    return this.#lease.renew().then(() => {
      if (this.#loss) throw this.#loss.error
      deliverAll(outbox)
    })
  }

  #commit(records: readonly LogRecord[], release: boolean): Commit {
    const { id: conversation, owner } = this.#conversation
    const caller = this.#conversation.caller()
    const { holder, leaseMs } = this.#options
    const head = this.#conversation.headId()
    return { conversation, holder, fence: this.#lease.fence, leaseMs, release, records, head, owner, caller }
  }

  release(how: Release): Promise<void> {
    if (how.to === 'delete') return this.#delete(how.isAwaited)
    this.#isIdle = how.isIdle
    return this.barrier()
  }
  async #delete(isAwaited: boolean): Promise<void> {
    const { id } = this.#conversation
    this.#lease.end()
    this.#records = []
    // Readers of a turn that the deletion has ended hear of its end, behind the commit under way.
    if (!this.#busy) deliverAll(this.#outbox)
    this.#reader.forget()
    if (isAwaited) this.#lose('deleted', deleted(id))
    await this.#driver.delete(id)
    this.#options.announce?.({ type: 'deleted', conversation: id })
  }
}

const deleted = (id: string): TurnbuckleError =>
  new TurnbuckleError('conversation.deleted', `The conversation "${id}" was deleted.`, { kind: 'store' })

/** The changes of a prompt become fingerprints: the log does not keep its messages a second time. */
const withFingerprint = ({ messageId, attempt, ...changes }: LogRecord['body']): LogRecord['body'] => ({
  messageId,
  attempt,
  ...promptFingerprint(changes as PromptChanges),
})

const deliverAll = (outbox: (() => void)[]): void => {
  for (const deliver of outbox.splice(0)) deliver()
}

/** A timer that does not keep the process alive. */
const unreferenced = (timer: ReturnType<typeof setTimeout>): void => (timer as { unref?: () => void }).unref?.()
