import { demand } from '../base/errors.ts'
import type { Pipeline } from '../stages/pipeline.ts'

/**
 * What a hook returns to steer. A value, not a flag: the resolver below decides which one counts.
 *
 * | rank | directive | effect |
 * |---|---|---|
 * | – | skip, block | this stage does not run |
 * | – | replace | this stage's result is another one |
 * | 1 | fail | the turn ends as failed |
 * | 2 | stop | hard end |
 * | 3 | rewind | go back, and on from there |
 * | 4 | goto | jump |
 * | 5 | again | another step, although the model is done |
 * | 6 | finish | soft end, read when the step closes |
 */
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

const ranks: Readonly<Record<string, number>> = { fail: 1, stop: 2, rewind: 3, goto: 4, again: 5, finish: 6 }

/** `goto`, `rewind` and `again` share one cap per turn. */
export const maxJumps = 100

/** Whether nothing more may begin in this step once the directive was given. */
export const isHard = (type: DirectiveType): boolean => (ranks[type] ?? 9) <= 4

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

export interface NotedDirective {
  readonly directive: Directive
  readonly decision: Decision
}

export type Outcome =
  | { readonly type: 'interrupted' }
  | { readonly type: 'directive'; readonly noted: NotedDirective }
  | { readonly type: 'continue' }
  | { readonly type: 'done' }

export interface Situation {
  readonly interrupted: boolean
  readonly noted: readonly NotedDirective[]
  /** At the end of a step `again` and `finish` count as well; in the middle only what ends the step. */
  readonly stepCloses: boolean
  /** The model asked for tools, or somebody said something: there is a reason to go on. */
  readonly goesOn: boolean
}

const interruptedOutcome: Outcome = { type: 'interrupted' }
const continueOutcome: Outcome = { type: 'continue' }
const done: Outcome = { type: 'done' }

/**
 * The one resolver: interrupt > fail > stop > rewind > goto > again > finish > go on > done. Within a rank the first
 * wins, in call order. Pure.
 */
export function resolve(situation: Situation): Outcome {
  if (situation.interrupted) return interruptedOutcome
  let best: NotedDirective | undefined
  let bestRank = situation.stepCloses ? 7 : 5
  for (const noted of situation.noted) {
    const rank = ranks[noted.directive.type] ?? 9
    if (rank < bestRank) {
      bestRank = rank
      best = noted
    }
  }
  if (best) return { type: 'directive', noted: best }
  return situation.goesOn ? continueOutcome : done
}
