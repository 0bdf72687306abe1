import type { Message, NewMessage } from '../base/message.ts'
import type { CustomEvent, EmittedEvent, Event, TurnEnded } from '../events/events.ts'
import type { Listener } from '../events/listener.ts'
import type { AnswerOptions, Request } from '../events/request.ts'
import type { Node } from '../history/tree.ts'
import type { Use } from './middleware.ts'
import type { Client } from './tool-context.ts'
import type { Turn } from './turn.ts'
import type { UnfinishedTurn } from './unfinished-turn.ts'

/** The options of `conversation.send`. */
export interface SendOptions {
  /** Interrupts the turn when aborted. */
  readonly signal?: AbortSignal
  /** Middleware for this turn alone, after the agent's own. Lists may hold lists. */
  readonly use?: readonly Use[]
  /** Plain data that `turn.started` carries, and the log with it: a key of the caller's, to find the turn by. */
  readonly tag?: unknown
  /** Who asked, for tools (`ctx.client`). The log keeps it. */
  readonly client?: Client
  /**
   * The id of the turn, for a caller that has to know it before the turn begins, and may send it twice: a turn whose id the log has
   * already does not begin, and settles with `turn.known`. Made up where it is not given.
   */
  readonly id?: string
}

/** A plain copy of a conversation. */
export interface ConversationExport {
  /** The id of the conversation. */
  readonly id: string
  /** Its title, where it has one. */
  readonly title?: string | undefined
  /** The id of the message that the next turn would follow. */
  readonly head: string | undefined
  /** Every message of every branch. */
  readonly nodes: readonly Node[]
}

/** A handle on a conversation's tree, with a head of its own. */
export interface Conversation {
  /** Names the conversation in the store. */
  readonly id: string
  /** The id of the message that the next turn will follow. */
  readonly head: string | undefined
  /** The path from the root to the head. */
  readonly messages: readonly Message[]
  /** Every message of every branch, in the order they came. */
  readonly tree: readonly Node[]
  /**
   * Reads what is not in memory yet. A store that answers later gives only the end of a long conversation when it is
   * opened: wait for this before looking at `messages` or `tree`, or going back. Sending needs nothing.
   */
  load(): Promise<void>
  /** Turns that a process has left unfinished: `agent.resume(id)` goes on with the first. */
  readonly unfinished: readonly string[]
  /** The reply that grew in a turn which a process has left unfinished, as far as it was shown. */
  partial(turnId: string): UnfinishedTurn['partial']
  /** The news that an unfinished turn of another process had told: its events, then one `message.text` of a reply that grew. */
  told(turnId: string): readonly Event[]
  /**
   * Resolves when all that was told so far is in the log, with the text of a reply that still grows. Rejects where a
   * title could not be kept: with `conversation.locked` while another process is at work.
   */
  kept(): Promise<void>
  /** The requests that wait for an answer. */
  readonly requests: readonly Request[]
  /** The title, where one was given. */
  get title(): string | undefined
  /** `kept()` tells whether the log took it; a listener is told `log.refused` where not. */
  set title(title: string)
  /** Starts a turn. Throws `turn.running` while this handle's last turn runs; another handle makes a sibling branch. */
  send(input: string | NewMessage, options?: SendOptions): Turn
  /** Starts a turn that goes on from the head without a new message: after a stop, or for another answer to a question. `input` hooks do not fire. */
  continue(options?: SendOptions): Turn
  /** The terminal event of the last turn, of a conversation on a log. */
  lastEnd(): Promise<
    | (TurnEnded & {
        readonly turnId: string
      })
    | undefined
  >
  /** Another handle on the same tree, with its own head; `null` is before the first message. */
  fork(at?: string | null | undefined): Conversation
  /** Moves this handle's head. On a log this gives when that has it; it stays where it was if it is refused. */
  checkout(id: string): Promise<void> | undefined
  /**
   * Throws when it is refused. Of what another process has asked it returns when the log has the answer: while that one is at
   * work, it takes the answer or refuses it. That is rejected with `conversation.locked` where it does neither.
   */
  answer(requestId: string, answer: unknown, options?: AnswerOptions): Promise<void> | undefined
  /** Follows every event of every turn from now on. Returns how to stop. */
  subscribe(listener: ((event: Event) => void) | Listener): () => void
  /** An event of a user's own in the log, outside any turn. On a log this gives when that has it. */
  emit<const Type extends CustomEvent['type']>(event: EmittedEvent<Type>): Promise<void> | undefined
  /** A plain copy: id, title, head and every message. */
  export(): ConversationExport
  /** Interrupts what runs, and forgets it. Resolves when it is gone from the store too. */
  delete(): Promise<void>
}
