import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { isInterrupted, TurnbuckleError } from '../base/errors.ts'
import type { Call } from '../base/message.ts'
import { HookContext } from '../context/hook-context.ts'
import type { Stage } from '../stages/stage.ts'
import type { TurnState } from '../turn/turn-state.ts'
import type { Decision, NotedDirective } from './directives.ts'
import type { HookChain, HookEntry } from './hook-set.ts'
import type { StageStatus } from './hook-types.ts'

/** One occurrence of a stage: what went in, what came out, and the hooks it was opened with. */
export class StageFrame {
  readonly turn: TurnState
  readonly stage: Stage
  readonly parent: StageFrame | undefined
  /** Pinned: a middleware that is added, removed or switched counts from the next stage on. */
  readonly chain: HookChain
  input: unknown
  result: unknown
  error: unknown
  status: StageStatus | 'open' = 'open'
  call: Call | undefined
  /** Where its directives are noted; a call of a batch has its own, merged in call order. */
  sink: NotedDirective[]
  /** The place, in the order of middleware, that the before chain got to. */
  reached = -1
  /** Where its own directives begin among those noted and listed. */
  notedFrom: number
  readonly decidedFrom: number

  // Seldom set, so they live on the prototype until they are.

  /** The name of this occurrence in the log. */
  declare key: string | undefined
  /** Begun by a process that died. */
  declare resumed: boolean
  /** Its span, where the turn is traced. */
  declare span: number | undefined

  /** What is wrong with the input, found before the guards were asked. */
  declare problem: unknown
  /** What the check of the input found ready for the body. */
  prepared: unknown
  /** A hook's own failure: no retry gets past it. */
  declare hookError: unknown
  /** The skip, block or replace in force. */
  declare decided: Decision | undefined
  /** A person changed the call while answering. */
  declare revised: Call | undefined
  /** Ends this attempt at the stage: a wrap gave it to `next`. */
  declare cut: AttemptCancel | undefined
  /** The middleware that was told no by a person. */
  declare deniedTo: string | undefined

  constructor(turn: TurnState, stage: Stage, parent: StageFrame | undefined, input: unknown) {
    this.turn = turn
    this.stage = stage
    this.parent = parent
    this.chain = turn.agent.chain(stage.name, turn)
    this.input = input
    this.result = undefined
    this.error = undefined
    this.call = parent?.call
    this.sink = parent ? parent.sink : turn.noted
    this.notedFrom = this.sink.length
    this.decidedFrom = turn.decisions.length
  }

  /** The stage fails, or is cut off by an interrupt. */
  broke(error: unknown): void {
    this.status = this.turn.interrupted && isInterrupted(error) ? 'interrupted' : 'failed'
    this.error =
      error === undefined ? new TurnbuckleError('stage.failed', `${this.stage.name} threw undefined.`) : error
    this.result = this.stage.failed?.(this.error, this)
  }

  context(entry?: HookEntry, given?: unknown, cut?: AttemptCancel): HookContext {
    return new HookContext(this, entry, given, cut)
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
  cut: undefined,
  deniedTo: undefined,
})
