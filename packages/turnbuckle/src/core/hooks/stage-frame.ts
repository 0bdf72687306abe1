import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { isInterrupted, TurnbuckleError } from '../base/errors.ts'
import type { Call } from '../base/message.ts'
import type { Stage } from '../types/stage.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { Decision, NotedDirective } from './directives.ts'
import type { HookChain } from './hook-set.ts'
import type { StageStatus } from './hook-types.ts'

/** Every before hook and guard of a stage has run. */
export const allEntered: number = Number.MAX_SAFE_INTEGER

/** An occurrence of a stage: its input, its result, and the hooks it was opened with. */
export class StageFrame {
  readonly turn: TurnState
  readonly stage: Stage
  readonly parent: StageFrame | undefined
  /** Pinned: a middleware that is added, removed or switched counts from the next stage on. */
  readonly hooks: HookChain
  input: unknown
  result: unknown
  error: unknown
  status: StageStatus | 'open' = 'open'
  call: Call | undefined
  /** Directives of this stage for the resolver; a call of a batch has a list of its own, merged in call order. */
  noted: NotedDirective[]
  /** The place, in the order of middleware, that the before hooks got to. */
  reached = -1
  /** The index of this frame's first directive in `noted`, and of its first decision in the turn's list. */
  notedFrom: number
  readonly decidedFrom: number
  /** Left by the stage's `check` for its body: a call's tool and parsed arguments. */
  prepared: unknown

  // Seldom set, so these live on the prototype until they are.

  /** The name of this occurrence in the log. */
  declare key: string | undefined
  /** Begun by a process that died. */
  declare resumed: boolean
  /** The id of the stage's span, where the turn is traced. */
  declare span: number | undefined
  /** Why the input is refused, found before the guards were asked. */
  declare problem: unknown
  /** A hook's own failure: no retry gets past it. */
  declare hookError: unknown
  /** The skip, block or replace in force. */
  declare decided: Decision | undefined
  /** The call as a person has changed it while answering a request. */
  declare revised: Call | undefined
  /** Ends this attempt at the stage: a wrap gave it to `next`, of this stage or of one that holds it. */
  declare cancel: AttemptCancel | undefined
  /** The number of model calls of its hooks under way. */
  declare generating: number
  /** The middleware that was told no by a person. */
  declare deniedTo: string | undefined
  /** Called when the stage has to wait for a hook, a tool or the log: other calls of its batch begin then. */
  declare onWait: (() => void) | undefined

  constructor(turn: TurnState, stage: Stage, parent: StageFrame | undefined, input: unknown) {
    this.turn = turn
    this.stage = stage
    this.parent = parent
    this.hooks = turn.agent.hookChain(stage, turn)
    this.input = input
    this.result = undefined
    this.error = undefined
    this.call = parent?.call
    this.noted = parent ? parent.noted : turn.steering.noted
    this.notedFrom = this.noted.length
    this.decidedFrom = turn.steering.decisions.length
    this.prepared = undefined
    if (stage.inheritsCancel && parent?.cancel) this.cancel = parent.cancel
  }

  /** A call of a batch keeps its directives apart: they are merged in call order. */
  ownDirectives(call: Call): void {
    this.call = call
    this.noted = []
    this.notedFrom = 0
  }

  /** Another input in place of the one before; a stage that runs one call is about that call from now on. */
  takeInput(input: unknown): void {
    this.input = input
    if (this.stage.takes === 'call') this.call = input as Call
  }

  /** Takes a call as a person has changed it, if one has. */
  takeRevisedCall(): boolean {
    const { revised } = this
    if (!revised) return false
    this.turn.noteEditedCall(revised)
    this.takeInput(revised)
    this.revised = undefined
    return true
  }

  /** The input is not valid. */
  refuse(error: unknown): void {
    this.problem = error ?? new Error('The input is not valid.')
  }

  /** The body has given a result. A hook's own failure counts even when a wrap around it caught it. */
  succeed(result: unknown): void {
    if (this.hookError !== undefined) throw this.hookError
    if (this.status === 'open') this.status = this.turn.interrupted ? 'interrupted' : 'done'
    this.result = result
  }

  /** The stage fails, or is cut off by an interrupt. */
  fail(error: unknown): void {
    this.status = this.turn.interrupted && isInterrupted(error) ? 'interrupted' : 'failed'
    this.error =
      error === undefined ? new TurnbuckleError('stage.failed', `${this.stage.name} threw undefined.`) : error
    this.result = this.stage.failed?.(this.error, this)
  }
}

Object.assign(StageFrame.prototype, {
  key: undefined,
  resumed: false,
  span: undefined,
  problem: undefined,
  hookError: undefined,
  decided: undefined,
  revised: undefined,
  cancel: undefined,
  generating: 0,
  deniedTo: undefined,
  onWait: undefined,
})
