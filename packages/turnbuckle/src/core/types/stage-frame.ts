import type { AttemptCancel } from '../async/attempt-cancel.ts'
import type { Call } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { Decision } from '../directives/directives.ts'
import type { NotedDirectives } from '../directives/noted-directives.ts'
import type { HookChain, HookEntry } from '../hooks/hook-set.ts'
import type { ModelExchange, StageStatus } from '../hooks/span.ts'
import type { Stage } from './stage.ts'
import type { TurnState } from './turn-state.ts'

/** A model call whose usage is counted. */
export interface Metered {
  readonly usage: Usage | undefined
  /** False where the model did not say what the call used. */
  readonly counted: boolean
  /** Counts an ended call by an estimate. */
  estimate(estimated: Usage): Usage
}

/** An occurrence of a stage: its input, its result, and the hooks it was opened with. */
export interface StageFrame {
  readonly turn: TurnState
  readonly stage: Stage
  readonly parent: StageFrame | undefined
  /** Pinned: a middleware that is added, removed or switched counts from the next stage on. */
  readonly hooks: HookChain
  input: unknown
  result: unknown
  error: unknown
  status: StageStatus | 'open'
  call: Call | undefined
  /** Directives of this stage for the resolver; a call of a batch has a list of its own, merged in call order. */
  noted: NotedDirectives
  /** The place, in the order of middleware, that the before hooks got to. */
  reached: number
  /** The index of this frame's first directive in `noted`, and of its first decision in the turn's list. */
  notedFrom: number
  readonly decidedFrom: number
  /** Left for the stage's body: by `check`, a call's tool and parsed arguments; by the body itself, the node of a message that is recorded once. */
  prepared: unknown

  /** The name of this occurrence in the log. */
  key: string | undefined
  /** Begun by a process that died. */
  resumed: boolean
  /** The id of the stage's span, where the turn is traced. */
  span: number | undefined
  /** The stage's model calls, where the turn is traced. */
  exchanges: ModelExchange[] | undefined
  /** Why the input is refused, found before the guards were asked. */
  problem: unknown
  /** A hook's own failure: no retry gets past it. */
  hookError: unknown
  /** The hook whose own model call a directive has ended: its failure yields to that directive. */
  stoppedHook: HookEntry | undefined
  /** The skip, block or replace in force. */
  decided: Decision | undefined
  /** The call as a person has changed it while answering a request. */
  revised: Call | undefined
  /** Ends this attempt at the stage: a wrap gave it to `next`, of this stage or of one that holds it. */
  cancel: AttemptCancel | undefined
  /** The number of waits of its hooks that others know of: their own model calls, and sleeps that an event has told. */
  knownWaits: number
  /** The usage of the model call that was made last here. */
  meter: Metered | undefined
  /** The middleware that was told no by a person. */
  deniedTo: string | undefined
  /** The call as a person has allowed it. */
  permitted: Call | undefined
  /** Called when the stage has to wait for a hook, a tool or the log: other calls of its batch begin then. */
  onWait: (() => void) | undefined

  /** A call of a batch keeps its directives apart: they are merged in call order. */
  ownDirectives(call: Call): void
  /** Another input in place of the one before; a stage that runs one call is about that call from now on. */
  takeInput(input: unknown): void
  /** Takes a call as a person has changed it, if one has. */
  takeRevisedCall(): boolean
  /** The input is not valid. */
  refuse(error: unknown): void
  succeed(result: unknown): void
  /** The stage fails, or is cut off by an interrupt. */
  fail(error: unknown): void
}
