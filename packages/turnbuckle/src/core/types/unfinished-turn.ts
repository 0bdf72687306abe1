import type { Message, ToolResult } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { Decision, DirectiveType } from '../directives/directives.ts'
import type { Event } from '../events/events.ts'
import type { Request } from '../events/request.ts'
import type { BranchState, StateScope } from '../history/tree.ts'
import type { StageStatus } from '../hooks/span.ts'
import type { Client } from './tool-context.ts'

/** A directive as the log keeps it. */
export interface NotedRecord {
  readonly type: DirectiveType
  readonly reason?: string | undefined
  readonly value?: unknown
  readonly say?: string | undefined
  readonly decision: Decision
}

export interface StateRecord {
  readonly scope: StateScope
  readonly name: string
  readonly value: unknown
}

/** State of a turn after a finished hook chain, kept so that the hooks are not run again. */
export interface Checkpoint {
  /** Names the stage's occurrence. */
  readonly key: string
  /** The stage's name. */
  readonly stage: string
  /** Keys of the stages that it was opened in, the outermost first. Kept when a stage is entered. */
  readonly within: readonly string[]
  /** Counts the turn's checkpoints in the order of the log. */
  readonly order: number
  readonly status: StageStatus | 'open'
  /** The stage's input, where it is plain data. */
  readonly input?: unknown
  readonly result?: unknown
  readonly noted: readonly NotedRecord[]
  readonly decisions: readonly Decision[]
  readonly tip?: string | undefined
  readonly steps: number
  readonly jumps: number
  readonly edits: number
  readonly more?: boolean | undefined
  /** The middleware that decided in place of the stage. */
  readonly decidedBy?: string | undefined
  readonly usage: Usage
  /** The branch's states, where they are not those of its tip. */
  readonly branch?: BranchState | undefined
  readonly shared?: readonly (readonly [string, unknown])[] | undefined
  readonly instructions?: unknown
  /** The place in the order of middleware that the before hooks got to, where they did not all run. */
  readonly reached?: number | undefined
  /** True for a stage whose input did not pass its check: no guard has seen it. */
  readonly refused?: boolean | undefined
  /** The names of the tools in the last prompt, where a hook changed them. */
  readonly offered?: readonly string[] | undefined
}

/** A turn that has not ended, as the log has it. */
export interface UnfinishedTurn {
  readonly turnId: string
  readonly message: Message
  readonly parentId: string | undefined
  readonly guards: readonly string[]
  /** Who asked, where the sender knew. */
  readonly client?: Client | undefined
  /** The turn has no message of its own. */
  readonly goesOn?: true | undefined
  /** The turn's events so far, in order. */
  readonly events: readonly Event[]
  readonly usage: Usage | undefined
  /** Model calls that were lost with a process. */
  readonly lost: number
  /** True where the turn has asked a person and no model call has begun since; undefined where it has asked nobody. */
  readonly waited: boolean | undefined
  /** True once the resumed turn has told an event that the log did not have. */
  readonly moved: boolean
  /** Usage of a sub-agent's turn that `usage` includes. */
  spent(turnId: string): Usage | undefined
  /** Turn-scoped states. */
  readonly states: ReadonlyMap<string, unknown>
  /** The last step that left a trace. */
  readonly lastStep: number
  /** Takes in what has happened since it was read: an answer that came before the turn was resumed. */
  add(event: Event): void
  /** Requests that nobody has answered. */
  readonly requests: readonly Request[]
  /** True when the event is in the log already; each event of the log counts once. */
  takeTold(event: Event): boolean
  entered(key: string): Checkpoint | undefined
  left(key: string): Checkpoint | undefined
  /** For a turn that the first version began: the stages that its keys have as parents of others. */
  readonly firstVersionParents: ReadonlySet<string> | undefined
  /** Checkpoints of stages that were entered and not left, the last first. */
  readonly open: readonly Checkpoint[]
  /** The next reply of a step that is known and not used yet. */
  reply(
    step: number,
  ):
    | { readonly message: Message; readonly usage?: Usage | undefined; readonly finishReason?: string | undefined }
    | undefined
  /** Takes the replies of a step up to that attempt as used, and gives the last of them. */
  passReplies(step: number, attempt: number): ReturnType<UnfinishedTurn['reply']>
  /** Number of attempts of a step that have begun. */
  attempts(step: number): number
  /** Attempts whose text was shown, and of which nothing became. */
  readonly abandoned: readonly string[]
  /** The reply that grew when the process ended, as far as it was shown. */
  readonly partial: { readonly messageId: string; readonly text: string; readonly reasoning: string } | undefined
  /** The last message that it has put on the tree, or gone back to. */
  readonly tip: string | undefined
  ended(callId: string): ToolResult | undefined
  /** The arguments that a person gave it. */
  edited(callId: string): unknown
  raw(callId: string): ToolResult | undefined
  /** Number of times the call began. */
  began(callId: string): number
  answer(requestId: string): { readonly decision: unknown; readonly by?: string | undefined } | undefined
  deadline(requestId: string): number | undefined
  expired(requestId: string): boolean
  /** Interjections in the order they came; `messageId` where they were applied. */
  readonly interjections: readonly {
    readonly text: string
    readonly by?: string | undefined
    readonly messageId: string | undefined
  }[]
}
