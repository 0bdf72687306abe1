import { TurnbuckleError } from '../base/errors.ts'
import { andThen, type Maybe } from '../base/maybe.ts'
import type { Prompt } from '../base/ports.ts'
import { type Event, endsTurn, type TurnEnded } from '../events/events.ts'
import type { Node, TreeNode } from '../history/tree.ts'
import type { ConversationCore } from '../types/conversation-core.ts'
import type { EndedTurn, Journal, Note, NumberedAttempt, UsualPrompt } from '../types/journal.ts'
import { recordOf } from './event-records.ts'
import { abandonTurns, eventsBefore, hasWaitingTurn, moveHead, takeUnfinished } from './follow-elsewhere.ts'
import { lateLog } from './late-log.ts'
import type {
  AnswerDesk,
  Log,
  LogContents,
  LoggedConversation,
  LogNews,
  LogNodes,
  LogRecord,
  Store,
} from './log-port.ts'
import { OutsideTurns } from './outside-turns.ts'
import { promptChanges } from './prompt-changes.ts'
import { publicNode, putNodes, putPath } from './put-nodes.ts'
import { UnattributedUsage } from './unattributed-usage.ts'

/** Milliseconds of a partial reply's text that may be lost with its process. */
const partialReplyWithin = 50

/** A conversation on its log: keeps what turns do, and takes in what other processes have done. */
export class ConversationLog implements Journal {
  readonly #conversation: ConversationCore
  readonly #log: Log
  readonly #outside: OutsideTurns
  readonly #unattributed = new UnattributedUsage()
  /** The conversation as the store knows it. */
  readonly logged: LoggedConversation
  /** The first reading, until the store has answered. */
  readonly firstRead: Maybe<void>
  #reading: Promise<void> | undefined
  #opening: Promise<void> | undefined
  #broken: unknown
  /** Turns that this process has begun. */
  readonly #begun = new Set<string>()

  /** Messages of the log that are not in memory yet, and may be read without holding up the thread. */
  #rest = false

  /**
   * Begins to read what the store has: done when `firstRead` resolves, or is no promise. `atOnce`: the caller cannot wait;
   * where the store can, it answers on the spot.
   */
  constructor(conversation: ConversationCore, store: Store, atOnce = false) {
    this.#conversation = conversation
    this.#outside = new OutsideTurns(conversation)
    conversation.journal = this
    conversation.outsideTurns = this.#outside
    this.logged = {
      id: conversation.id,
      owner: conversation.owner,
      caller: () => conversation.caller,
      headId: () => conversation.headId,
      unwritten: () => this.#outside.queuedMessages,
      onLost: ({ error }) => this.#break(error),
    }
    const log = store.attach(this.logged)
    this.#log = log instanceof Promise ? lateLog(log) : log
    this.firstRead = this.#readFirst(atOnce)
  }

  #readFirst(atOnce: boolean): Maybe<void> {
    const reading = this.#refresh(atOnce ? 'newsAtOnce' : 'news')
    if (!(reading instanceof Promise)) return
    this.#reading = reading.then(
      () => {
        this.#reading = undefined
      },
      error => {
        this.#broken ??= error
        throw error
      },
    )
    // `open` rejects with it too.
    this.#reading.catch(() => {})
    return this.#reading
  }

  get broken(): unknown {
    return this.#broken
  }
  get desk(): AnswerDesk | undefined {
    return this.#log.desk
  }
  #break(error: unknown): void {
    this.#broken = error
    abandonTurns(this.#conversation, error)
  }

  open(): Maybe<void> {
    if (this.#broken !== undefined) throw this.#broken
    if (this.#reading) return this.#reading.then(() => this.open())
    if (this.#opening) return this.#opening
    const opening = andThen(this.#log.read('newsToWrite'), news => this.#take(news))
    if (!(opening instanceof Promise)) return
    const refused = (error: unknown) => {
      throw this.#broken ?? error
    }
    this.#opening = opening.catch(refused).finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }
  #take(news: LogNews): void {
    if (news.status === 'changed') this.#takeIn(news.contents)
    else if (news.status !== 'unchanged') throw news.error
  }

  refresh(): Maybe<void> {
    return this.#refresh('news')
  }
  #refresh(what: 'news' | 'newsAtOnce'): Maybe<void> {
    if (this.#broken !== undefined) return
    return andThen(this.#log.read(what), news => {
      if (news.status === 'changed') this.#takeIn(news.contents)
    })
  }

  /** Puts the log's contents into memory, at once: nobody sees half of them. */
  #takeIn(contents: LogContents): void {
    const conversation = this.#conversation
    const { seq, caller, title, states, head, had, unfinished } = contents
    conversation.seq = seq
    conversation.caller = caller
    conversation.title = title
    for (const [name, value] of Object.entries(states)) conversation.states.set(name, value)
    if (head !== undefined) this.#takeTree(contents, head)
    this.#outside.dropQueued(had)
    takeUnfinished(conversation, unfinished)
  }
  #takeTree(contents: LogContents, head: string): void {
    const { tree, id } = this.#conversation
    if (contents.rest === 'none') this.#putAll(contents)
    else {
      this.#rest = contents.rest === 'atOnceOrLater'
      if (contents.rest !== 'later') tree.source = missing => this.#load(missing)
      else
        tree.unread = missing => {
          throw unread(id, missing)
        }
      this.#check(contents)
      if (!tree.has(head)) putPath(tree, contents.nodes)
    }
    moveHead(this.#conversation, tree.find(head))
  }
  #putAll(read: LogNodes): void {
    const { tree } = this.#conversation
    this.#check(read)
    putNodes(tree, read.nodes)
    tree.unread = undefined
    this.#rest = false
  }
  /** A turn does not go on with messages missing from its history. */
  #check({ damage }: LogNodes): void {
    if (damage && this.#conversation.running.length) throw damage
  }

  /** Messages that the log has and the tree does not. */
  #load(id: string): TreeNode | undefined {
    const read = this.#log.read('pathAtOnce', id)
    if (!read || read instanceof Promise || !read.nodes.length) return undefined
    this.#check(read)
    return putPath(this.#conversation.tree, read.nodes)
  }
  nodes(): readonly Node[] | undefined {
    const { tree, id } = this.#conversation
    tree.unread?.(id)
    const read = this.#log.read('nodesAtOnce')
    return read instanceof Promise ? undefined : read?.nodes.map(publicNode)
  }
  readAll(): Maybe<void> {
    if (this.#reading) return this.#reading.then(() => this.readAll())
    if (this.#conversation.tree.unread || this.#rest)
      return andThen(this.#log.read('nodes'), read => this.#putAll(read))
  }
  lastEnd(): Maybe<EndedTurn | undefined> {
    return andThen(this.#log.read('lastEnd'), end => this.#endFrom(end))
  }
  endOf(turnId: string): Maybe<EndedTurn | undefined> {
    return andThen(this.#log.read('endOf', turnId), end => this.#endFrom(end))
  }
  #endFrom(end: LogRecord | undefined): EndedTurn | undefined {
    const of = { conversationId: this.#conversation.id, turnId: end?.turn }
    return end && ({ ...end.body, type: end.type, ...of } as unknown as EndedTurn)
  }

  turnStatus(id: string): Maybe<string | undefined> {
    return this.#log.read('turnStatus', id)
  }
  hasBegun(id: string): boolean {
    return this.#begun.has(id)
  }
  file(id: string): Maybe<string | undefined> {
    return this.#log.read('file', id)
  }

  event(event: Event, deliver: () => void): void {
    if (this.#broken !== undefined) return
    const { turnId } = event
    if (turnId !== undefined && event.type === 'turn.started') this.#begun.add(turnId)
    if (event.type === 'message.added') this.#conversation.tree.stamp(event.messageId, event.at)
    if (turnId !== undefined && event.type === 'usage') this.#unattributed.addMessage(turnId, event)
    if (turnId !== undefined && isEnd(event)) this.#noteUnattributed(turnId, event)
    this.#log.append(recordOf(event), deliver)
  }
  #noteUnattributed(turnId: string, end: TurnEnded): void {
    const besides = this.#unattributed.atEnd(turnId, end, eventsBefore(this.#conversation, turnId))
    if (besides) this.note(turnId, { note: 'besides', usage: besides })
  }
  behind(deliver: () => void): void {
    this.#log.append(undefined, deliver)
  }
  note(turnId: string, note: Note, within?: number): void {
    if (this.#broken !== undefined) return
    const { note: name, ...body } = note
    // The result of an effect is not to be lost while hooks look at it.
    const soon = name === 'raw' || name === 'reply' ? 0 : within
    this.#log.append({ seq: undefined, turn: turnId, type: `note.${name}`, body }, undefined, soon)
  }
  prompt(turnId: string, { id, number }: NumberedAttempt, prompt: Prompt, usual: UsualPrompt): void {
    const changes = promptChanges(prompt, usual.path, usual.instructions)
    if (Object.keys(changes).length) this.note(turnId, { note: 'prompt', messageId: id, attempt: number, ...changes })
  }
  partialReply(turnId: string, messageId: string, text: string, reasoning: boolean): void {
    this.note(turnId, { note: 'sketch', messageId, text, reasoning }, partialReplyWithin)
  }

  barrier(): Promise<void> {
    return this.#log.barrier()
  }
  release(): Promise<void> {
    const isIdle = () => !this.#conversation.running.length
    return isIdle() ? this.#log.release({ to: 'leave', isIdle }) : this.#log.barrier()
  }
  remove(): Promise<void> {
    const isAwaited = this.#opening !== undefined || hasWaitingTurn(this.#conversation)
    return this.#log.release({ to: 'delete', isAwaited })
  }
}

/** A user's own event may have an `outcome` too. */
const isEnd = (event: Event): event is Event & TurnEnded => endsTurn(event) && 'outcome' in event

const unread = (id: string, missing: string) =>
  new TurnbuckleError(
    'history.unread',
    `Only the end of "${id}" is in memory, not ${missing === id ? 'all of it' : `"${missing}"`}: await conversation.load() first.`,
    { kind: 'store' },
  )
