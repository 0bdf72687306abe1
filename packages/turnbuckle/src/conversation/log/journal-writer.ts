import { TurnbuckleError } from '../../core/base/errors.ts'
import type { Prompt } from '../../core/base/ports.ts'
import type { Journal, Note } from '../../core/durable/journal-port.ts'
import type { Event, TurnEnded } from '../../core/events/events.ts'
import type { SharedConversation } from '../../core/events/shared-conversation.ts'
import { type Node, pathOf, type TreeNode } from '../../core/history/tree.ts'
import { isPath } from '../../core/model/prompt.ts'
import { abandonTurn } from '../../core/turn/park-turn.ts'
import type { TurnState } from '../../core/turn/turn-state.ts'
import { ThreadReader } from '../read/conversation-reader.ts'
import type { GapReader } from '../read/damaged-history.ts'
import { printOf } from '../replay/prompt-fingerprint.ts'
import { andThen, type ConversationRow, type Driver, type LogRecord, type Maybe } from '../stores/driver.ts'
import { fenced } from '../stores/refusals.ts'
import { commitSayably } from './commit-json-safe.ts'
import { Lease, type LeaseOptions } from './lease.ts'
import { Sketch } from './partial-reply.ts'
import { Spending } from './spending.ts'

/** One conversation's log, as its writer. Keeps what happens, commits it together, and tells of it when it is durable. */
export class DurableJournal implements Journal {
  readonly #driver: Driver
  readonly #conversation: SharedConversation
  readonly #options: LeaseOptions
  readonly #lease: Lease
  readonly #reader: ThreadReader
  readonly #sketch: Sketch
  readonly #spending = new Spending()
  #records: Omit<LogRecord, 'n'>[] = []
  #outbox: (() => void)[] = []
  /** The commit under way, and the one that will take what has come since. */
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #soon = false
  #busy = false
  /** How many records the log had when it was read last. */
  #n = 0
  /** When the conversation was begun: another time, and it is another one. */
  #since: number | undefined
  #releasing = false
  /** The commit under way gives the conversation up. */
  #lettingGo = false
  #opening: Promise<void> | undefined
  #attaching: Promise<void> | undefined
  #broken: unknown

  constructor(driver: Driver, tree: GapReader, conversation: SharedConversation, options: LeaseOptions) {
    this.#driver = driver
    this.#conversation = conversation
    this.#options = options
    this.#lease = new Lease(driver, conversation, options, () => {
      if (!this.#lettingGo) this.#break(fenced(conversation.id))
    })
    this.#reader = new ThreadReader(driver, tree, conversation)
    this.#sketch = new Sketch(
      ({ turnId, ...shown }) => this.note(turnId, { note: 'sketch', ...shown }),
      () => this.#flush(),
    )
  }

  get ready(): boolean {
    return this.#lease.fence !== undefined
  }

  /** Reads how things stand. Who comes while it is being read looks again when that is done. */
  attach(): Maybe<void> {
    const again = () => this.attach()
    if (this.#attaching) return this.#attaching.then(again, again)
    const attaching = this.#attach()
    if (!(attaching instanceof Promise)) return
    this.#attaching = attaching.finally(() => {
      this.#attaching = undefined
    })
    return this.#attaching
  }
  #attach(): Maybe<void> {
    const { ready } = this
    return andThen(this.#reader.row(), row => {
      // It was somebody else's when the store was asked.
      if (ready !== this.ready) return this.#attach()
      if (this.#since !== undefined && row?.createdAt !== this.#since) return this.#lost(row)
      this.#since = row?.createdAt
      if (!row || row.n === this.#n) return
      // Behind it: what could not be read is read the next time.
      return andThen(this.#reader.read(row), () => {
        this.#n = Math.max(this.#n, row.n)
      })
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
    const { id } = this.#conversation
    const letGo = { ...this.#commit([], true), head: undefined }
    const left = !this.ready ? undefined : row?.n ? this.#driver.commit(letGo) : this.#driver.delete(id)
    return andThen(left as Maybe<unknown>, () => this.#break(deleted(id)))
  }

  refresh(): Maybe<void> {
    if (!this.ready && this.#broken === undefined) return this.attach()
  }

  /** Becomes the writer. Waits for another one, then gives up. */
  open(): Maybe<void> {
    const refusal = this.#broken ?? this.#reader.damage
    if (refusal !== undefined) throw refusal
    // Who comes while it is being let go of waits for that, and then takes it again.
    if (this.#lettingGo) return this.#running.then(() => this.open())
    if (this.#opening) return this.#opening
    if (this.ready) return
    const opening = andThen(this.#lease.acquire(), () => {
      if (this.#broken !== undefined) return andThen(this.#reader.row(), row => this.#lost(row))
      if (this.#records.length) this.#flushSoon()
      return this.attach()
    })
    if (!(opening instanceof Promise)) return
    const refused = (error: unknown) => {
      throw this.#broken ?? error
    }
    this.#opening = opening.catch(refused).finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  get broken(): unknown {
    return this.#broken
  }
  /** What is in memory may be ahead of the log now: nothing goes on with it. */
  #break(error: unknown): void {
    // Also of one that broke before: it may have become the writer since.
    this.#lease.abandon()
    if (this.#broken !== undefined) return
    this.#broken = error
    this.#records = []
    this.#outbox = []
    this.#sketch.drop()
    for (const turn of this.#conversation.running) abandonTurn(turn, error)
  }

  prompt(turn: TurnState, messageId: string, prompt: Prompt): void {
    const print = printOf(
      prompt,
      isPath(prompt, turn.branch.tip) ? undefined : pathOf(turn.branch.tip),
      turn.agent.instructions,
    )
    if (Object.keys(print).length) this.note(turn.id, { note: 'prompt', messageId, ...print })
  }

  sketch(turnId: string, messageId: string, text: string, reasoning: boolean): void {
    this.#sketch.add({ turnId, messageId, text, reasoning })
  }

  event(event: Event, deliver: () => void): void {
    if (this.#broken !== undefined) return
    if (event.type === 'message.added' || event.type === 'message.discarded') this.#sketch.drop()
    if (event.type === 'usage' || isEnd(event)) this.#count(event)
    const { type, seq, turnId, conversationId, ...body } = event as Event & Record<string, unknown>
    this.#records.push({ seq, turn: turnId, type, body })
    this.#outbox.push(deliver)
    this.#flushSoon()
  }
  #count(event: Event): void {
    const turn = this.#conversation.running.find(({ id }) => id === event.turnId)
    if (turn && event.type === 'usage') this.#spending.tell(turn, event)
    const usage = turn && isEnd(event) && this.#spending.besides(turn, event.usage)
    if (usage) this.note(turn.id, { note: 'besides', usage })
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
      this.#flush()
    }, 0)
  }
  #flush(): void {
    if (this.#records.length) this.barrier().catch(() => {})
  }

  barrier(): Promise<void> {
    this.#next ??= this.#running.then(() => this.#write())
    this.#running = this.#next
    return this.#next
  }
  release(): Promise<void> {
    if (this.#conversation.running.length) return this.barrier()
    this.#releasing = true
    return this.barrier()
  }

  #write(): Maybe<void> {
    this.#next = undefined
    if (this.#broken !== undefined) throw this.#broken
    // Text that was told before what is written now is there with it.
    this.#sketch.keep()
    const records = this.#records
    const outbox = this.#outbox
    const release = this.#releasing && !this.#conversation.running.length
    // Kept until this is the writer: what is told is in the log.
    if (!this.ready && records.length) return
    if (!this.ready || (!records.length && !release)) return this.#idle(outbox)
    this.#records = []
    this.#outbox = []
    this.#releasing = false
    this.#lettingGo = release
    this.#busy = true
    const done = ({ n }: { n: number }) => {
      this.#busy = false
      this.#lettingGo = false
      this.#lease.seen()
      this.#n = n
      if (release) this.#lease.end()
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

  /** There is nothing to write that would show whether this is still the writer. */
  #idle(outbox: (() => void)[]): Maybe<void> {
    if (!this.#lease.unsure) return deliverAll(outbox)
    return this.#lease.renew().then(() => {
      if (this.#broken !== undefined) throw this.#broken
      deliverAll(outbox)
    })
  }

  #commit(records: readonly Omit<LogRecord, 'n'>[], release: boolean) {
    const { id, headId, owner } = this.#conversation
    const { holder, leaseMs } = this.#options
    return { conversation: id, holder, fence: this.#lease.fence, leaseMs, release, records, head: headId, owner }
  }

  remove(): Maybe<void> {
    this.#lease.end()
    this.#records = []
    // Who follows a turn that this has ended hears of its end, behind what is being written.
    if (!this.#busy) deliverAll(this.#outbox)
    this.#reader.forget()
    // Who waits to write to it would make it again.
    const isWaiting = this.#opening || this.#conversation.running.some(turn => turn.phase === 'waiting')
    if (isWaiting) this.#break(deleted(this.#conversation.id))
    return this.#driver.delete(this.#conversation.id)
  }
}

const deleted = (id: string): TurnbuckleError =>
  new TurnbuckleError('conversation.deleted', `The conversation "${id}" was deleted.`, { kind: 'store' })

const isEnd = (event: Event): event is Event & TurnEnded => 'outcome' in event

const deliverAll = (outbox: (() => void)[]): void => {
  for (const deliver of outbox.splice(0)) deliver()
}
