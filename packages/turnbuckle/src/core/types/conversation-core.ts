import type { Clock } from '../base/ports.ts'
import type { MessageDelta } from '../events/events.ts'
import type { Listener } from '../events/listener.ts'
import type { Keeping, News } from '../events/news.ts'
import type { AnswerOptions, AskOptions, Request } from '../events/request.ts'
import type { Tree, TreeNode } from '../history/tree.ts'
import type { HookSet } from '../hooks/hook-set.ts'
import type { Journal, OutsideTurns } from './journal.ts'
import type { TurnState } from './turn-state.ts'
import type { UnfinishedTurn } from './unfinished-turn.ts'

/** What is known of the question that an answer is for. */
export interface AnswerAsked {
  /** Limits it to that turn's requests. */
  readonly turnId?: string
  /** Clean the answer to a question that another process has left: it has no turn here whose redactors could. */
  readonly hooks?: Pick<HookSet, 'clean'>
}

/** `again`: for a question of a sub-agent in another process whose answer its asker has refused there. */
export type Asked = AskOptions & Pick<Request, 'again'>

/** The broker between hooks that ask and people who answer. */
export interface Requests {
  readonly pending: readonly Request[]
  /** Stops the turn's clock until somebody answers. */
  ask(turn: TurnState, id: string, kind: string, payload: unknown, options: Asked): Promise<unknown>
  /** Closes the requests of a turn that ends now, and of turns below it. */
  interrupt(turn: TurnState): void
  /** Drops the requests of a parked turn without an event: the process that resumes it asks again. */
  drop(turn: TurnState): void
  /** Throws where the answer is refused. For a request that another process has asked it resolves when the log has the answer. */
  answer(id: string, answer: unknown, options?: AnswerOptions, asked?: AnswerAsked): Promise<void> | undefined
  /** Ends a request unanswered, as if its time had run out. */
  expire(id: string, turnId: string): void
}

export interface ResumedTurn {
  readonly turn: TurnState
  readonly unwound: Promise<void>
}

/** A conversation that any number of handles share: the tree, the requests, the running turns and the listeners. */
export interface ConversationCore {
  readonly id: string
  readonly clock: Clock
  readonly tree: Tree
  /** As `listeners`, replaced and not changed: a loop over the list may take a turn out of it. */
  running: readonly TurnState[]
  listeners: readonly Listener[]
  /** The durable side; without one the conversation lives in memory. */
  journal: Journal | undefined
  /** Events outside of turns, on a log. */
  outsideTurns: OutsideTurns | undefined
  owner: string | undefined
  /** The turn whose call this conversation works for, where its agent was called as a tool. */
  caller: string | undefined
  /** The message that a handle has moved to, or that the log has as head; `latest` comes before it. */
  head: TreeNode | undefined
  latest: TurnState | undefined
  /** The turn that was resumed last, and when its after hooks are over: handles opened before go on after it. */
  resumed: ResumedTurn | undefined
  title: string | undefined
  deleted: boolean
  seq: number
  readonly requests: Requests
  /** Conversation-scoped states, by middleware. Never rewound: budgets live here. */
  readonly states: Map<string, unknown>
  readonly unfinished: Map<string, UnfinishedTurn>
  readonly headId: string | undefined
  /** A turn of this conversation runs no more. */
  drop(turn: TurnState): void
  /**
   * The one way in which an event is told. Gives a promise of when the log has it, where that waits for this process to be the log's
   * writer. An event that a resumed turn has in its log already is not told again.
   */
  tell(news: News, turn?: TurnState, keeping?: Keeping): Promise<void> | undefined
  /** The way of a reply's text while it grows, which is not kept. */
  passDelta(delta: MessageDelta, turn: TurnState): void
  /** Resolves when every event so far is in the log. Rejects where the log has refused one. */
  kept(): Promise<void>
}
