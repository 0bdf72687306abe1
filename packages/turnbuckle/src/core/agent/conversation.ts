import { TurnbuckleError } from '../base/errors.ts'
import { asSaid, type Message, type NewMessage } from '../base/message.ts'
import { checkDepth, nesting } from '../base/nesting-depth.ts'
import { without } from '../base/without.ts'
import type { Past } from '../durable/journal-port.ts'
import type { CustomEvent, Event, TurnEnded } from '../events/events.ts'
import { follow } from '../events/following.ts'
import type { Request } from '../events/requests.ts'
import { type Listener, startedEvent, type Thread } from '../events/shared-conversation.ts'
import { toldOf } from '../events/told.ts'
import { closeCalls } from '../history/close-calls.ts'
import { type Node, shownPath, type TreeNode } from '../history/tree.ts'
import type { Middleware } from '../hooks/hook-set.ts'
import { catchUpUsage } from '../model/usage.ts'
import { work } from '../turn/run-turn.ts'
import { Run } from '../turn/turn-state.ts'
import type { AgentCore } from './agent.ts'
import { Turn } from './turn.ts'

export interface SendOptions {
  /** Interrupts the turn when aborted. */
  readonly signal?: AbortSignal
  /** Middleware for this turn alone, after the agent's own. */
  readonly use?: readonly Middleware[]
  /** Plain data that `turn.started` carries, and the log with it: a key of the caller's, to find the turn by. */
  readonly tag?: unknown
}

/** A plain copy of a conversation. */
export interface ConversationExport {
  readonly id: string
  readonly title?: string | undefined
  readonly head: string | undefined
  readonly nodes: readonly Node[]
}

/** A handle on a conversation's tree, with a head of its own. */
export class Conversation {
  readonly #core: AgentCore
  readonly #thread: Thread
  readonly #depth: number
  readonly #above: Run | undefined
  #head: TreeNode | undefined
  /** It is where the conversation is, unless it was made for a place of its own. */
  #follows = true
  /** A checkout that the log does not have yet. */
  #moving: Promise<void> | undefined
  #run: Run | undefined
  /** The last turn's after hooks; the next turn waits for them. */
  #unwound: Promise<void> | undefined
  /** Interjections that an interrupt kept from being heard. */
  readonly #unheard: Run['queue'] = []

  /** `above`: the turn that a sub-agent works for whose hook made this handle. What is sent here works for it too. */
  constructor(core: AgentCore, thread: Thread, head: TreeNode | undefined, depth = 0, above?: Run) {
    this.#core = core
    this.#thread = thread
    this.#head = head
    this.#depth = depth
    this.#above = above
  }

  get id(): string {
    this.#core.remember(this.#thread)
    return this.#thread.id
  }
  /** The id of the message that the next turn will follow. */
  get head(): string | undefined {
    return this.#tip?.id
  }
  get #tip(): TreeNode | undefined {
    return this.#run ? this.#run.tip : this.#head
  }
  /** The path from the root to the head. */
  get messages(): readonly Message[] {
    return shownPath(this.#tip)
  }
  /** Every message of every branch, in the order they came. */
  get tree(): readonly Node[] {
    return this.#thread.journal?.nodes() ?? this.#thread.tree.nodes.map(publicNode)
  }
  /**
   * Reads what is not in memory yet. A store that answers later gives only the end of a long conversation when it is
   * opened: wait for this before looking at `messages` or `tree`, or going back. Sending needs nothing.
   */
  async load(): Promise<void> {
    await this.#thread.journal?.readAll()
  }
  /** Turns that a process has left unfinished: `agent.resume(id)` goes on with the first. */
  get unfinished(): readonly string[] {
    return [...this.#thread.unfinished.keys()]
  }
  /** The reply that grew in a turn which a process has left unfinished, as far as it was shown. */
  partial(turnId: string): Past['partial'] {
    return this.#thread.unfinished.get(turnId)?.partial
  }
  /** What a turn that a process has left unfinished had told: its events, then one `message.text` of a reply that grew. */
  told(turnId: string): readonly Event[] {
    const past = this.#thread.unfinished.get(turnId)
    return past ? toldOf(past, this.#thread) : []
  }
  /**
   * Resolves when all that was told so far is in the log, with the text of a reply that still grows. Rejects where a
   * title could not be kept: with `conversation.locked` while another process is at work.
   */
  async kept(): Promise<void> {
    await this.#thread.kept()
  }
  /** What waits for an answer. */
  get requests(): readonly Request[] {
    return this.#thread.requests.pending
  }
  get title(): string | undefined {
    return this.#thread.title
  }
  /** `kept()` tells whether the log took it; a listener is told `log.refused` where not. */
  set title(title: string) {
    const thread = this.#thread
    const from = thread.title
    const put = (kept: boolean) => {
      thread.title = kept ? title : from
    }
    thread.outside({ type: 'title.changed', from, to: title }, put, true)
  }

  /** For what looks at the log behind a handle. */
  static threadOf(conversation: Conversation): Thread {
    return conversation.#thread
  }

  /** Starts a turn. Throws `turn.running` while this handle's last turn runs; another handle makes a sibling branch. */
  send(input: string | NewMessage, options: SendOptions = {}): Turn {
    return this.start(input, options, this.#above)
  }

  /** `parent` links a sub-agent's turn to the call it works for. */
  start(input: string | NewMessage, { signal, use, tag }: SendOptions, parent?: Run): Turn {
    if (this.#thread.deleted)
      throw new TurnbuckleError('conversation.deleted', `The conversation "${this.id}" was deleted.`)
    if (this.#core.closed) throw new TurnbuckleError('agent.closed', 'The agent was closed.')
    if (this.#run && !this.#run.over)
      throw new TurnbuckleError(
        'turn.running',
        'This handle has a turn running. Wait for it, interject, or fork() to run beside it.',
      )
    const depth = Math.max(parent ? parent.depth + 1 : 0, this.#depth, nesting())
    const deepest = Math.min(this.#core.maxDepth, parent?.deepest ?? Infinity)
    checkDepth(depth, deepest)
    if (use) this.#core.check(use)
    const id = this.#core.ids.next('turn')
    const message = ownCopy(asSaid(input, ''))
    // Calls that are open there are another turn's, which runs or was left unfinished: this one goes its own way.
    const tip = this.#tip && closeCalls(this.#thread, this.#tip)
    const run = new Run(this.#core, this, this.#thread, id, message, tip, { depth, deepest, parent, use })
    run.tag = tag
    if (run.journal && this.#follows && !this.#moving && this.#thread.headId === run.tip?.id) follow(run)
    if (!message.id) run.message = { ...message, id: run.names.of('u') }
    return this.#begin(run, signal)
  }

  /** Goes on with a turn that a process has left unfinished; the caller sees the same events, numbers and ids. */
  resume(past: Past, options: SendOptions = {}, parent?: Run): Turn {
    this.#thread.unfinished.delete(past.turnId)
    const origin = past.parentId === undefined ? undefined : this.#thread.tree.find(past.parentId)
    const link = {
      depth: parent ? parent.depth + 1 : this.#depth,
      deepest: this.#core.maxDepth,
      parent,
      use: options.use,
    }
    const run = new Run(this.#core, this, this.#thread, past.turnId, past.message, origin, link)
    run.past = past
    for (const event of past.events) run.events.push(event)
    for (const [name, state] of past.states) run.states.set(name, state)
    if (past.usage) run.usage = past.usage
    if (past.lost) run.unbilled++
    if (parent) catchUpUsage(parent, run)
    return this.#begin(run, options.signal)
  }

  /** Goes on with the first unfinished turn, if there is one. */
  goOn(options: SendOptions = {}, parent?: Run): Turn | undefined {
    const [past] = this.#thread.unfinished.values()
    return past && this.resume(past, options, parent)
  }
  /** How the last turn ended; of a conversation on a log. */
  async lastEnd(): Promise<(TurnEnded & { readonly turnId: string }) | undefined> {
    return this.#thread.journal?.lastEnd()
  }

  #begin(run: Run, signal: AbortSignal | undefined): Turn {
    const turn = new Turn(run, run.settled)
    run.turn = turn
    this.#run = run
    this.#thread.latest = run
    this.#thread.running = this.#thread.running.concat(run)
    run.parent?.children.add(run)
    // On a log that is told when this process has become its writer.
    if (!run.journal) run.emit(startedEvent(run))
    this.#unwound = this.#launch(run, this.#unwound, signal)
    return turn
  }

  async #launch(run: Run, before: Promise<void> | undefined, signal: AbortSignal | undefined): Promise<void> {
    const onAbort = () => run.turn.interrupt(String(signal?.reason ?? 'aborted'))
    signal?.addEventListener('abort', onAbort, { once: true })
    await before
    run.queue.unshift(...this.#unheard.splice(0))
    if (signal?.aborted) onAbort()
    await work(run)
    signal?.removeEventListener('abort', onAbort)
    this.#unheard.push(...run.queue)
    if (this.#run !== run) return
    this.#head = run.tip
    this.#run = undefined
  }

  /** Another handle on the same tree, with its own head; `null` is before the first message. */
  fork(at: string | null | undefined = this.head): Conversation {
    return this.at(at == null ? undefined : this.#node(at), this.#depth, this.#above ?? this.#run?.parent)
  }
  at(head: TreeNode | undefined, depth: number, above?: Run): Conversation {
    const apart = new Conversation(this.#core, this.#thread, head && closeCalls(this.#thread, head), depth, above)
    apart.#follows = false
    return apart
  }

  /** Moves this handle's head. On a log this gives when that has it; it stays where it was if it is refused. */
  checkout(id: string): Promise<void> | undefined {
    if (this.#run && !this.#run.over)
      throw new TurnbuckleError('turn.running', 'A turn is running here: fork(id) gives a handle of its own.')
    const thread = this.#thread
    const from = this.#tip
    const head = closeCalls(thread, this.#node(id))
    const { head: before, latest } = thread
    this.#run = undefined
    thread.latest = undefined
    const moved = thread.outside({ type: 'head.moved', from: from?.id, to: head.id }, kept => {
      thread.head = kept ? head : before
      if (!kept) thread.latest ??= latest
      if (!this.#run) this.#head = kept ? head : from
    })
    // A turn that is sent meanwhile begins when that is done, and here.
    this.#moving = moved
    if (moved)
      this.#unwound = Promise.allSettled([this.#unwound, moved]).then(() => {
        if (this.#moving === moved) this.#moving = undefined
      })
    return moved
  }

  #node(id: string): TreeNode {
    const { tree } = this.#thread
    const node = tree.find(id) ?? tree.unread?.(id)
    if (node) return node
    throw new TurnbuckleError('message.missing', `There is no message "${id}" in this conversation.`)
  }

  /**
   * Throws when it is refused. Of what another process has asked it returns when the log has the answer; that is
   * rejected with `conversation.locked` while the other one is at work.
   */
  answer(requestId: string, answer: unknown): Promise<void> | undefined {
    return this.#thread.requests.answer(requestId, answer)
  }

  /** Follows every event of every turn from now on. Returns how to stop. */
  subscribe(listener: ((event: Event) => void) | Listener): () => void {
    const full = typeof listener === 'function' ? { event: listener, delta() {} } : listener
    this.#thread.listeners = [...this.#thread.listeners, full]
    return () => {
      this.#thread.listeners = without(this.#thread.listeners, full)
    }
  }

  /** An event of a user's own in the log, outside any turn. On a log this gives when that has it. */
  emit(event: CustomEvent): Promise<void> | undefined {
    return this.#thread.outside({ ...event })
  }

  export(): ConversationExport {
    return structuredClone({ id: this.id, title: this.title, head: this.head, nodes: this.tree })
  }

  /** Interrupts what runs, and forgets it. Resolves when it is gone from the store too. */
  delete(): Promise<void> {
    for (const run of this.#thread.running) run.turn.interrupt('the conversation was deleted')
    this.#thread.deleted = true
    const removing = (async () => this.#thread.journal?.remove())()
    // For who does not wait.
    removing.catch(() => {})
    this.#core.forget(this.id)
    return removing
  }
}

/** What the caller does to its message later is no business of the history's. */
const ownCopy = (message: Message): Message => ({ ...message, content: message.content.map(part => ({ ...part })) })

const publicNode = ({ id, parentId, message, turnId, usage, cost, createdAt }: TreeNode): Node => ({
  id,
  parentId,
  message,
  turnId,
  createdAt,
  ...(usage ? { usage } : {}),
  ...(cost === undefined ? {} : { cost }),
})
