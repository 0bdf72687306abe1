import type { NewMessage } from '../../core/base/message.ts'
import type { Usage } from '../../core/base/ports.ts'
import type { Decision } from '../../core/directives/directives.ts'
import type { Event } from '../../core/events/events.ts'
import type { AnswerOptions } from '../../core/events/request.ts'
import type { Asked } from '../../core/types/conversation-core.ts'
import type { Client } from '../../core/types/tool-context.ts'

/** Messages of the process that works on a sub-agent to the one that works on its caller. Each may come twice. */
export type CallerMessage =
  | { readonly type: 'join' }
  | ({ readonly type: 'share'; readonly n: number } & SharedNews)
  | {
      readonly type: 'ask'
      readonly id: string
      readonly kind: string
      readonly payload: unknown
      readonly options: PlainAskOptions
    }
  | { readonly type: 'answer'; readonly id: string; readonly answer: unknown; readonly options: AnswerOptions }
  | { readonly type: 'expire'; readonly id: string }

/** `by`: the try that says it. One that another has come after is not heard any more. */
export type SentMessage = CallerMessage & { readonly by: string }

export type PlainAskOptions = Omit<Asked, 'check' | 'onOpen'>

/** News of a sub-agent that its caller shares. */
export interface SharedNews {
  /** `agent.started` and `agent.event`. */
  readonly events: readonly Event[]
  readonly spent?: SpentElsewhere | undefined
  readonly changes: readonly StateChange[]
  readonly ended?: EndedElsewhere | undefined
}
/** The usage of a sub-agent's turn so far, and its model calls that have not said theirs. */
export interface SpentElsewhere {
  readonly turnId: string
  readonly usage: Usage
  readonly unbilled: number
}
/** A change of a state of the caller's or of a turn above it: refused where the state is not as it was before. */
export interface StateChange {
  /** The turn whose guard it is. Guards of two levels may have one name. */
  readonly turnId: string
  readonly name: string
  readonly before: unknown
  readonly value: unknown
}
export interface EndedElsewhere {
  readonly decisions: readonly Decision[]
  /** True where the time of its budget has ended it. */
  readonly isLate: boolean
}

/** A turn above the sub-agent as it is now. */
export interface LevelNow {
  readonly turnId: string
  /** The states of its guards, by name. */
  readonly states: Readonly<Record<string, unknown>>
  readonly usage: Usage
}
/** The caller as it is now, and all that it works for. */
export interface CallerNow {
  /** The caller first, the topmost turn last. */
  readonly levels: readonly LevelNow[]
  /** The reason, where the sub-agent is to be interrupted. */
  readonly interrupted?: string | undefined
}
export interface SharedAnswer extends CallerNow {
  /** The places of the changes that were refused. */
  readonly refused: readonly number[]
}

export interface SubAgentTask {
  /** The task. Without it the store has it, since it is long. */
  readonly message?: string | NewMessage | undefined
  /** The key of the task in the store. */
  readonly taskKey?: string | undefined
  /** The sub-agent's turn of an earlier attempt, which its caller knows the end of. */
  readonly after?: string | undefined
}
/** The sub-agent's work, for a process that begins with it. */
export interface JoinedCaller extends CallerNow, SubAgentTask {
  readonly depth: number
  readonly deepest: number
  readonly client?: Client | undefined
  /** True where the topmost turn's log ends with a question. */
  readonly waited: boolean
}

export type AskAnswer =
  /** On its way to the topmost turn. */
  | { readonly state: 'asking' }
  | { readonly state: 'open' }
  | { readonly state: 'answered'; readonly answer: unknown }
  | { readonly state: 'failed'; readonly code: string; readonly message: string }

/** The code of a refusal: nobody waits for the sub-agent there any more. */
export const callerLeft = 'caller.left'
