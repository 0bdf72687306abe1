import { TurnbuckleError } from '../base/errors.ts'
import { without } from '../base/lists.ts'
import type { Message, NewMessage } from '../base/message.ts'
import { closeOpenCalls } from '../events/close-open-calls.ts'
import { startedEvent } from '../events/event-makers.ts'
import type { CustomEvent, EmittedEvent, Event } from '../events/events.ts'
import { markFollower } from '../events/is-follower.ts'
import type { Listener } from '../events/listener.ts'
import { ownEvent, whenWriter } from '../events/news.ts'
import type { AnswerOptions, Request } from '../events/request.ts'
import { toldEvents } from '../events/told-events.ts'
import { type Node, shownNode, shownPath, type TreeNode } from '../history/tree.ts'
import type { Interjection } from '../state/turn-people.ts'
import { interruptDeleted } from '../turn/interrupt-turn.ts'
import { runTurn } from '../turn/run-turn.ts'
import type { TurnState } from '../turn/turn-state.ts'
import type { AgentCore } from '../types/agent-core.ts'
import type { ConversationExport, Conversation as ConversationType, SendOptions } from '../types/conversation.ts'
import type { ConversationCore } from '../types/conversation-core.ts'
import type { EndedTurn } from '../types/journal.ts'
import type { ConversationHandle, TurnState as TurnStateType } from '../types/turn-state.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'
import { HandleHead } from './handle-head.ts'
import { makeTurn, nothingSaid, type TurnPlace } from './make-turn.ts'
import { restoreTurn } from './restore-turn.ts'
import { Turn } from './turn.ts'

/** A handle on a conversation's tree, with a head of its own. */
export class Conversation implements ConversationHandle {
  readonly #core: AgentCore
  readonly #shared: ConversationCore
  readonly #depth: number
  readonly #above: TurnStateType | undefined
  readonly #head: HandleHead
  /** Interjections that an interrupt kept from being heard. */
  #unheard: readonly Interjection[] = []

  /** `above`: the turn that a sub-agent works for whose hook made this handle. What is sent here works for it too. */
  constructor(
    core: AgentCore,
    conversation: ConversationCore,
    head: TreeNode | undefined,
    depth = 0,
    above?: TurnStateType,
  ) {
    this.#core = core
    this.#shared = conversation
    this.#head = new HandleHead(conversation, head)
    this.#depth = depth
    this.#above = above
  }

  get id(): string {
    this.#core.remember(this.#shared)
    return this.#shared.id
  }
  /** The id of the message that the next turn will follow. */
  get head(): string | undefined {
    return this.#head.tip?.id
  }
  /** The path from the root to the head. */
  get messages(): readonly Message[] {
    return shownPath(this.#head.tip)
  }
  /** Every message of every branch, in the order they came. */
  get tree(): readonly Node[] {
    return this.#shared.journal?.nodes() ?? this.#shared.tree.nodes.map(shownNode)
  }
  /**
   * Reads what is not in memory yet. A store that answers later gives only the end of a long conversation when it is
   * opened: wait for this before looking at `messages` or `tree`, or going back. Sending needs nothing.
   */
  async load(): Promise<void> {
    await this.#shared.journal?.readAll()
  }
  /** Turns that a process has left unfinished: `agent.resume(id)` goes on with the first. */
  get unfinished(): readonly string[] {
    return [...this.#shared.unfinished.keys()]
  }
  /** The reply that grew in a turn which a process has left unfinished, as far as it was shown. */
  partial(turnId: string): UnfinishedTurn['partial'] {
    return this.#shared.unfinished.get(turnId)?.partial
  }
  /** The events of a turn that a process has left unfinished, then one `message.text` of a reply that grew. */
  told(turnId: string): readonly Event[] {
    const past = this.#shared.unfinished.get(turnId)
    return past ? toldEvents(past, this.#shared) : []
  }
  /**
   * Resolves when all that was told so far is in the log, with the text of a reply that still grows. Rejects where a
   * title could not be kept: with `conversation.locked` while another process is at work.
   */
  async kept(): Promise<void> {
    await this.#shared.kept()
  }
  /** The requests that wait for an answer. */
  get requests(): readonly Request[] {
    return this.#shared.requests.pending
  }
  get title(): string | undefined {
    return this.#shared.title
  }
  /** `kept()` tells whether the log took it; a listener is told `log.refused` where not. */
  set title(title: string) {
    const conversation = this.#shared
    const from = conversation.title
    const put = (kept: boolean) => {
      conversation.title = kept ? title : from
    }
    conversation.tell({ type: 'title.changed', from, to: title }, undefined, { change: put, unheard: true })
  }

  /** For what looks at the log behind a handle. */
  static coreOf(conversation: ConversationType): ConversationCore {
    return (conversation as Conversation).#shared
  }

  /** Starts a turn. Throws `turn.running` while this handle's last turn runs; another handle makes a sibling branch. */
  send(input: string | NewMessage, options: SendOptions = {}): Turn {
    return this.#start(input, options, this.#above)
  }

  /** Starts a turn that goes on from the head without a new message: `input` hooks do not fire. */
  continue(options: SendOptions = {}): Turn {
    if (!this.#head.tip)
      throw new TurnbuckleError('message.empty', 'There is nothing to go on from. Send a message first.')
    return this.#start(nothingSaid, options, this.#above)
  }

  /**
   * A turn of a sub-agent, for a call of the turn `caller`: the one of that id that a process has left unfinished, or a new one. Others that
   * are unfinished in the conversation are those of people who talk there.
   */
  static sendFor(caller: TurnStateType, to: ConversationType, input: string | NewMessage, options: SendOptions): Turn {
    const conversation = to as Conversation
    const past = options.id === undefined ? undefined : conversation.#shared.unfinished.get(options.id)
    return past ? conversation.#resume(past, options, caller) : conversation.#start(input, options, caller)
  }
  /** The terminal event of one turn, of a conversation on a log. */
  static async endOf(conversation: ConversationType, turnId: string): Promise<EndedTurn | undefined> {
    return (conversation as Conversation).#shared.journal?.endOf(turnId)
  }

  #start(input: string | NewMessage, options: SendOptions, parent?: TurnStateType): Turn {
    this.#checkMayStart()
    const turn = makeTurn(this.#placeFor(parent), this.#head.tip, input, options)
    if (turn.journal && this.#head.isFollowedBy(turn)) markFollower(turn)
    return this.#begin(turn, options.signal)
  }
  #placeFor(parent: TurnStateType | undefined): TurnPlace {
    return { agent: this.#core, conversation: this.#shared, handle: this, depth: this.#depth, parent }
  }

  /** Throws where the conversation is deleted, the agent closed, or a turn of this handle runs. */
  #checkMayStart(): void {
    if (this.#shared.deleted)
      throw new TurnbuckleError('conversation.deleted', `The conversation "${this.id}" was deleted.`)
    if (this.#core.closed) throw new TurnbuckleError('agent.closed', 'The agent was closed.')
    if (this.#head.hasRunningTurn)
      throw new TurnbuckleError(
        'turn.running',
        'This handle has a turn running. Wait for it, interject, or fork() to run beside it.',
      )
  }

  /** Goes on with a turn that a process has left unfinished; the caller sees the same events, numbers and ids. */
  #resume(past: UnfinishedTurn, options: SendOptions, parent?: TurnStateType): Turn {
    this.#shared.unfinished.delete(past.turnId)
    const turn = restoreTurn(this.#placeFor(parent), past, options)
    const handle = this.#begin(turn, options.signal)
    this.#head.shareResumed(turn)
    return handle
  }

  /** Goes on with the first unfinished turn, if there is one. */
  resumeFirst(options: SendOptions = {}, parent?: TurnStateType): Turn | undefined {
    const [past] = this.#shared.unfinished.values()
    return past && this.#resume(past, options, parent)
  }
  /** Goes on with one unfinished turn, if the log has it. */
  resumeTurn(turnId: string): Turn | undefined {
    const past = this.#shared.unfinished.get(turnId)
    return past && this.#resume(past, {})
  }
  /** The end of the last turn; undefined for a conversation without a log. */
  async lastEnd(): Promise<EndedTurn | undefined> {
    return this.#shared.journal?.lastEnd()
  }

  #begin(turn: TurnState, signal: AbortSignal | undefined): Turn {
    const handle = new Turn(turn, turn.settled)
    turn.setHandle(handle)
    turn.parent?.adopt(turn)
    this.#head.begin(turn, before => this.#launch(turn, before, signal))
    return handle
  }

  async #launch(turn: TurnState, before: Promise<void> | undefined, signal: AbortSignal | undefined): Promise<void> {
    // On a log that is told when this process has become its writer.
    if (!turn.journal) turn.tell(startedEvent(turn))
    const onAbort = () => turn.handle.interrupt(signal?.reason ?? 'aborted')
    signal?.addEventListener('abort', onAbort, { once: true })
    await before
    turn.people.queueFirst(this.#unheard)
    this.#unheard = []
    if (signal?.aborted) onAbort()
    await (turn.journal ? Promise.race([runTurn(turn), untilParked(turn)]) : runTurn(turn))
    signal?.removeEventListener('abort', onAbort)
    // A parked turn's are in the log, and heard where it is resumed.
    if (turn.phase !== 'parked') this.#unheard = [...this.#unheard, ...turn.people.queue]
    this.#head.end(turn)
  }

  /** Another handle on the same tree, with its own head; `null` is before the first message. */
  fork(at: string | null | undefined = this.head): Conversation {
    return this.at(at == null ? undefined : this.#node(at), this.#depth, this.#above ?? this.#head.parentTurn)
  }
  at(head: TreeNode | undefined, depth: number, above?: TurnStateType): Conversation {
    const apart = new Conversation(this.#core, this.#shared, head && closeOpenCalls(this.#shared, head), depth, above)
    apart.#head.stayApart()
    return apart
  }

  /** Moves this handle's head. On a log this gives when that has it; it stays where it was if it is refused. */
  checkout(id: string): Promise<void> | undefined {
    if (this.#head.hasRunningTurn)
      throw new TurnbuckleError('turn.running', 'A turn is running here: fork(id) gives a handle of its own.')
    return this.#head.move(this.#node(id))
  }

  #node(id: string): TreeNode {
    const { tree } = this.#shared
    const node = tree.find(id) ?? tree.unread?.(id)
    if (node) return node
    throw new TurnbuckleError('message.missing', `There is no message "${id}" in this conversation.`)
  }

  /**
   * Throws when it is refused. Of what another process has asked it returns when the log has the answer: while that one is at
   * work, it takes the answer or refuses it. That is rejected with `conversation.locked` where it does neither.
   */
  answer(requestId: string, answer: unknown, options: AnswerOptions = {}): Promise<void> | undefined {
    return this.#shared.requests.answer(requestId, answer, options, { hooks: this.#core.hooks })
  }

  /** Follows every event of every turn from now on. Returns how to stop. */
  subscribe(listener: ((event: Event) => void) | Listener): () => void {
    const full = typeof listener === 'function' ? { event: listener, delta() {} } : listener
    this.#shared.listeners = [...this.#shared.listeners, full]
    return () => {
      this.#shared.listeners = without(this.#shared.listeners, full)
    }
  }

  /** An event of a user's own in the log, outside any turn. On a log this gives when that has it. */
  emit<const Type extends CustomEvent['type']>(event: EmittedEvent<Type>): Promise<void> | undefined {
    return this.#shared.tell(ownEvent(event), undefined, whenWriter)
  }

  export(): ConversationExport {
    return structuredClone({ id: this.id, title: this.title, head: this.head, nodes: this.tree })
  }

  /**
   * Interrupts what runs, and forgets it. Resolves when it is gone from the store too. A turn that runs, or was just sent, ends as
   * `interrupted`, whenever this comes; one that has ended keeps its end.
   */
  delete(): Promise<void> {
    for (const turn of this.#shared.running) interruptDeleted(turn)
    this.#shared.deleted = true
    const removing = (async () => this.#shared.journal?.remove())()
    // A failure is for callers that await; without one it must not be an unhandled rejection.
    removing.catch(() => {})
    this.#core.forget(this.id)
    return removing
  }
}

/** Resolves for a turn that is left to the log: its hooks that wait for a person never come back here. */
const untilParked = (turn: TurnState): Promise<void> =>
  turn.settled.then(() => (turn.phase === 'parked' ? undefined : new Promise(() => {})))
