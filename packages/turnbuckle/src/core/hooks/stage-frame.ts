import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { isInterrupted, TurnbuckleError } from '../base/errors.ts'
import type { Call } from '../base/message.ts'
import type { Decision } from '../directives/directives.ts'
import { NotedDirectives } from '../directives/noted-directives.ts'
import type { Stage } from '../types/stage.ts'
import type { Metered, StageFrame as StageFrameType } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { HookChain, HookEntry } from './hook-set.ts'
import type { ModelExchange, StageStatus } from './span.ts'

/** Every before hook and guard of a stage has run. */
export const allEntered: number = Number.MAX_SAFE_INTEGER

/** An occurrence of a stage. Its fields are explained in `types/stage-frame.ts`. */
export class StageFrame implements StageFrameType {
  readonly turn: TurnState
  readonly stage: Stage
  readonly parent: StageFrameType | undefined
  readonly hooks: HookChain
  input: unknown
  result: unknown
  error: unknown
  status: StageStatus | 'open' = 'open'
  call: Call | undefined
  noted: NotedDirectives
  reached = -1
  notedFrom: number
  readonly decidedFrom: number
  prepared: unknown

  // Seldom set, so these live on the prototype until they are.

  declare key: string | undefined
  declare resumed: boolean
  declare span: number | undefined
  declare exchanges: ModelExchange[] | undefined
  declare problem: unknown
  declare hookError: unknown
  declare stoppedHook: HookEntry | undefined
  declare decided: Decision | undefined
  declare revised: Call | undefined
  declare cancel: AttemptCancel | undefined
  declare knownWaits: number
  declare meter: Metered | undefined
  declare deniedTo: string | undefined
  declare permitted: Call | undefined
  declare onWait: (() => void) | undefined

  constructor(turn: TurnState, stage: Stage, parent: StageFrameType | undefined, input: unknown) {
    this.turn = turn
    this.stage = stage
    this.parent = parent
    this.hooks = turn.agent.hookChain(stage, turn)
    this.input = input
    this.result = undefined
    this.error = undefined
    this.call = parent?.call
    this.noted = parent ? parent.noted : turn.steering.noted
    this.notedFrom = this.noted.list.length
    this.decidedFrom = turn.steering.decisions.length
    this.prepared = undefined
    if (stage.inheritsCancel && parent?.cancel) this.cancel = parent.cancel
  }

  /** A call of a batch keeps its directives apart: they are merged in call order. */
  ownDirectives(call: Call): void {
    this.call = call
    this.noted = new NotedDirectives()
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
  stoppedHook: undefined,
  decided: undefined,
  revised: undefined,
  cancel: undefined,
  knownWaits: 0,
  meter: undefined,
  deniedTo: undefined,
  permitted: undefined,
  onWait: undefined,
})
