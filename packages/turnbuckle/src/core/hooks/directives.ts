import { demand } from '../base/errors.ts'
import type { TreeNode } from '../history/tree.ts'
import type { Pipeline } from '../stages/pipeline.ts'

/** A hook steers by returning a directive. A value, not a flag: the resolver decides which directive of a step counts. */
export class Directive {
  readonly type: DirectiveType
  readonly reason: string | undefined
  /** The skipped or replaced stage's result; where to go; the message for the model; the error. */
  readonly value: unknown
  readonly say: string | undefined

  constructor(type: DirectiveType, reason?: string, value?: unknown, say?: string) {
    this.type = type
    this.reason = reason
    this.value = value
    this.say = say
  }
}

export type DirectiveType = 'skip' | 'block' | 'replace' | 'stop' | 'again' | 'finish' | 'goto' | 'rewind' | 'fail'

/** A point in the history to come back to; made by `ctx.snapshot()`. */
export interface Snapshot {
  readonly kind: 'snapshot'
}

/** The target of a `rewind`, and what the model is told there. */
export interface RewindTarget {
  readonly to: Snapshot | number | string
  readonly message?: string | undefined
}

/** The id of the message that a snapshot was taken at. One that was read from a log has the id in place of the node. */
export function snapshotTipId(snapshot: Snapshot | null): string | undefined {
  const tip = (snapshot as { readonly tip?: TreeNode | string } | null)?.tip
  return typeof tip === 'string' ? tip : tip?.id
}

/** Does not run this stage; `value` is its result. */
export const skip = (value?: unknown): Directive => new Directive('skip', undefined, value)
/** Does not run this call; the model is told why. On a stage without a blocked result the turn is stopped. */
export const block = (reason = 'blocked'): Directive => new Directive('block', reason)
/** After hooks: the stage's result is `value`. The last one wins. */
export const replace = (value: unknown): Directive => new Directive('replace', undefined, value)
/** Ends the turn: no further model, tool or user stage begins. `say` is the closing text. */
export const stop = (reason: string, options: { readonly say?: string } = {}): Directive =>
  new Directive('stop', reason, undefined, options.say)
/** Asks for another step although the model is done; `message` tells the model why. */
export const again = (message: string): Directive => new Directive('again', message, message)
/** Ends the turn as completed when this step closes. */
export const finish = (reason: string): Directive => new Directive('finish', reason)
/** Jumps to a stage of the step by name, or hands over to another pipeline. */
export function goto(to: string | Pipeline): Directive {
  demand(
    typeof to === 'string' || to?.step,
    'goto.target',
    'Go to a stage by its name, or to a pipeline: goto("model").',
  )
  return new Directive('goto', typeof to === 'string' ? to : 'another pipeline', to)
}
/** Goes back to a snapshot, the beginning of a step, or a message, and on from there on a new branch. */
export const rewind = (to: Snapshot | number | string, message?: string): Directive =>
  new Directive('rewind', message ?? (typeof to === 'object' ? 'snapshot' : String(to)), { to, message })
/** Ends the turn as failed. */
export const fail = (error: unknown): Directive =>
  new Directive('fail', error instanceof Error ? error.message : String(error), error)

/** `goto`, `rewind` and `again` share one cap per turn. */
export const maxJumps = 100

/** A directive with its author, as `explain()` lists it. */
export interface Decision {
  readonly directive: DirectiveType
  readonly by: string
  /** The hook: `beforeTool`. */
  readonly at: string
  readonly step: number
  readonly callId?: string
  readonly reason?: string
  won: boolean
}

/** A directive that was put before the resolver, and how `explain()` lists it. */
export interface NotedDirective {
  readonly directive: Directive
  readonly decision: Decision
}
