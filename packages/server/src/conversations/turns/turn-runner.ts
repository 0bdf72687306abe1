import type { NewMessage } from 'turnbuckle'
import type { ConversationSettings } from 'turnbuckle/client'
import type { SubAgentCaller } from 'turnbuckle/tools'

/** The beginning of a turn, as plain data that an engine can keep. */
export interface TurnStart {
  /** The user's message. Without one the turn goes on from its parent. */
  readonly message?: NewMessage | undefined
  /** The message that the turn follows: `null` is before the first, and without it the head. */
  readonly parentId?: string | null | undefined
  /** Kept with `turn.started`. */
  readonly tag?: unknown
  /** Who asked. */
  readonly client?: { readonly id: string; readonly name: string } | undefined
  /** The conversation's own model, instructions and parameters, where it has any. */
  readonly settings?: ConversationSettings | undefined
}

/** A turn that is to be worked on, by whoever takes it. */
export interface TurnOrder {
  /** The conversation that it belongs to. */
  readonly conversationId: string
  /** Names the turn. An order that comes twice is one turn. */
  readonly turnId: string
  /** Absent for a turn that its log has the beginning of. */
  readonly start?: TurnStart | undefined
  /** For a turn of a schedule, in place of `start`: the store has the message. */
  readonly due?: TurnTime | undefined
}

/** A time of a schedule. */
export interface TurnTime {
  /** Names the schedule. */
  readonly schedule: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The order of a turn that begins at a time. */
export interface ScheduledOrder extends TurnOrder {
  readonly due: TurnTime
}

/**
 * Works on turns outside of the server's process. All that happens in a turn is in its log; an engine only sees to it that exactly
 * one worker at a time works on a conversation, for as long as a turn of it is neither over nor waiting for people.
 */
export interface TurnRunner {
  /** Resolves when the engine has the order and will not lose it. The same order may come again. */
  start(order: TurnOrder): Promise<void>
  /**
   * As `start`, for a turn whose order is to be given to a worker when its time has come, and when `wake` names its schedule. Once that
   * worker has left the turn, ended or waiting, the engine also asks one for the `next` order, and keeps that. An engine without timers lacks it.
   */
  startAt?(order: ScheduledOrder): Promise<void>
  /**
   * A turn that no process works on may go on: an answer came, or its worker is gone. `answered`: requests of it that have ended.
   * For a turn that goes on by itself it does nothing.
   */
  wake(order: TurnOrder, answered: readonly string[]): Promise<void>
}

/** Where a worker has left a turn. */
export type TurnStand =
  /** The log has its end. */
  | { readonly state: 'ended'; readonly status: string }
  /** Nobody works on it until one of these requests has ended, by an answer or its deadline (milliseconds since 1970). */
  | { readonly state: 'waiting'; readonly requests: readonly WaitingRequest[] }
  /** The log does not have it, and it cannot begin: its conversation was deleted, or the message that it was to follow. */
  | { readonly state: 'gone'; readonly reason: string }

export interface WaitingRequest {
  readonly id: string
  readonly deadline?: number | undefined
}

/** A sub-agent that is to be worked on for a turn which another worker has. */
export interface SubAgentOrder {
  /** The sub-agent's own conversation. */
  readonly conversationId: string
  /** The call that it works for. */
  readonly caller: SubAgentCaller
  /** Names the order. One that comes twice is one. */
  readonly session: string
}

/** Where a worker has left a sub-agent. */
export type SubAgentStand =
  /** The log has its end. */
  | { readonly state: 'ended' }
  /** The sub-agent was left to its log, since nobody waited for it any more. Whoever does orders it anew. */
  | { readonly state: 'left' }
  /** The order can never begin: the worker does not have that sub-agent. */
  | { readonly state: 'gone'; readonly reason: string }

/** An engine's side of a worker whose turns call sub-agents. */
export interface SubAgentEngine {
  /**
   * Has a worker work on the order, one at a time for a conversation, and resolves with where that left it. Tried again for as long as it takes;
   * `signal`: nobody waits for it any more.
   */
  workForCaller(order: SubAgentOrder, signal: AbortSignal): Promise<SubAgentStand>
}
