import type { Message, ToolResult } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { Decision } from '../directives/directives.ts'
import type { Event, TextDelta, TurnStatus } from '../events/events.ts'
import type { AnswerOptions, Request } from '../events/request.ts'
import type { Middleware } from './middleware.ts'

/** The result of a turn that has ended. */
export interface TurnResult {
  /** How the turn ended. */
  readonly status: TurnStatus
  /** The last reply's. */
  readonly text: string
  /** Why it ended: `done`, or what a directive or an error said. */
  readonly reason: string
  /** The name of whoever ended the turn: a middleware, a stage, or `model`. */
  readonly by: string
  /** Why the model ended the last reply, in the provider's word: `stop`, `length`, `content-filter`. */
  readonly finishReason?: string
  /** Model stages opened. */
  readonly steps: number
  /** Tokens and cost of all its model calls, those of hooks and sub-agents included. */
  readonly usage: Usage
  /** The part of `usage` that other turns of the conversation count too: of branches that were worked on beside this one. */
  readonly elsewhere?: Usage
  /** This turn's own. */
  readonly messages: readonly Message[]
  /** The last state of each middleware that has one, by its name. As of the terminal event: hooks that clean up after an interrupt come later. */
  readonly states: Readonly<Record<string, unknown>>
  /** The values that hooks have shared (`ctx.shared`), by key. */
  readonly shared: Readonly<Record<string, unknown>>
  /** The error of a turn that failed. */
  readonly error?: unknown
}

/** A call that a turn has made. */
export interface TurnCall {
  /** The id of the call. */
  readonly id: string
  /** The name of the tool. */
  readonly name: string
  /** The arguments: the model's, or those it ran with where a person has changed them. */
  readonly args: unknown
  /** The message that made the call. */
  readonly messageId: string
  /** Its result, once it has one. */
  readonly result?: ToolResult
}

/** The handle of a turn: one user message being worked on. Await it for the result, iterate it for every event. */
export interface Turn extends PromiseLike<TurnResult>, AsyncIterable<Event> {
  /** Names the turn in events and in the store. */
  readonly id: string
  /** Always resolves, also when the turn failed. */
  readonly settled: Promise<TurnResult>
  /**
   * The replies' text as it comes; a slow reader gets it in larger pieces. A blank line stands between messages, and where an attempt
   * was given up whose text cannot be taken back.
   */
  readonly text: AsyncIterable<string>
  /** The replies' text for who can take text back: `{ text }` comes at the end, `{ withdrawn }` is taken from it. */
  readonly deltas: AsyncIterable<TextDelta>
  /** The id of its conversation. */
  readonly conversationId: string
  /** So far; of a turn that has ended, its result's. */
  readonly usage: Usage
  /** Middleware of this turn alone. */
  readonly use: readonly Middleware[]
  /** The turn whose tool call this one works for, where it is a sub-agent's. */
  readonly parent: Turn | undefined
  /** Model stages opened so far. */
  readonly steps: number
  /** The calls so far, in order, with their results: those on the branch that the turn is on, the ones of the reply under way included. */
  readonly calls: readonly TurnCall[]
  /** True once the terminal event was told. */
  readonly ended: boolean
  /** Resolves when this process works on it, or it has ended. On a log another process may have to finish first. */
  readonly began: Promise<void>
  /** Ends the turn now: a valid history and the terminal event come first, whatever is still running. */
  interrupt(reason?: string): void
  /**
   * Stops working on a turn that has a log, without ending it: `agent.resume` goes on with it, here or in another process. A call that
   * is running has an unknown outcome then. A turn without a log is interrupted.
   */
  park(): void
  /** Queues a message; it is applied after the current batch's results. Throws when the turn is over. */
  interject(text: string): void
  /** Takes back what a person interjected last and the turn has not heard yet: gives its text, or undefined where there is nothing. */
  takeBack(): string | undefined
  /** This turn's requests that wait for an answer. */
  readonly requests: readonly Request[]
  /** As `conversation.answer`, for this turn's requests. */
  answer(requestId: string, answer: unknown, options?: AnswerOptions): Promise<void> | undefined
  /** Ends a request unanswered: the fallback counts now, or `ask` rejects with `request.expired`. Refused like an answer. */
  expire(requestId: string): void
  /** Every directive that was given, by whom, where, and whether it won. */
  explain(): Decision[]
}
