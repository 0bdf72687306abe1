import { demand } from '../base/errors.ts'
import { isThenable } from '../base/ports.ts'
import type { DirectiveType } from '../hooks/directives.ts'
import type { Context, Draft, MaybePromise } from '../hooks/hook-types.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import type { TurnState } from '../turn/turn-state.ts'

/** A named part of the loop. Stages know nothing of each other and speak only through the context. */
export interface Stage {
  readonly name: string
  readonly description?: string | undefined
  readonly estimatedMs?: number | undefined
  readonly longRunning?: boolean | undefined
  /** What it is handed when it opens, given the result of the stage before it; `notOpened` when there is nothing to do. */
  readonly input?: (turn: TurnState, previous: unknown) => unknown
  readonly body: (frame: StageFrame, input: unknown) => unknown
  /** Where the result goes. */
  readonly keep?: (turn: TurnState, result: unknown) => void
  /** What follows at once: recording what it gave. */
  readonly follow?: (parent: StageFrame) => unknown
  /** Puts the result in the draft, for after hooks; they may still replace it. */
  readonly show?: (draft: Draft, result: unknown) => void
  /** Reads a value that a hook gave as this stage's result, by a directive or as what a wrap returned. */
  readonly read?: (value: unknown, frame: StageFrame, by?: DirectiveType) => unknown
  /** The result that stands for a failure or an interrupt, where there must be one. */
  readonly failed?: (error: unknown, frame: StageFrame) => unknown
  /** Reads what a hook gave as the input, by assigning it or to `next`, given what that hook was handed; throws when it cannot be. */
  readonly current?: (turn: TurnState, given: unknown, handed: unknown) => unknown
  /** Checks the input before guards see it; its throw is the stage's. */
  readonly check?: (frame: StageFrame) => MaybePromise<void>
  /** Looks at no more of its frame than the turn: without hooks it runs in its parent's. */
  readonly light?: boolean
  /** Cannot be skipped or removed. */
  readonly required?: boolean
}

const blank: { readonly [Member in keyof Required<Stage>]: undefined } = {
  name: undefined,
  light: undefined,
  input: undefined,
  body: undefined,
  keep: undefined,
  follow: undefined,
  show: undefined,
  read: undefined,
  failed: undefined,
  current: undefined,
  check: undefined,
  required: undefined,
  description: undefined,
  estimatedMs: undefined,
  longRunning: undefined,
}

/** The stage with every member that it could have: what has ten shapes is read much more slowly than what has one. */
export const shaped = (stage: Stage): Stage => ({ ...blank, ...stage }) as Stage

export const notOpened: unique symbol = Symbol('not opened')

/**
 * Makes a stage of your own. Its hooks follow from its name: `moderate` has beforeModerate, wrapModerate, afterModerate.
 * `input` is the result of the stage before it.
 */
export function stage<Input = unknown, Result = unknown>(definition: {
  readonly name: string
  run(ctx: Context<undefined>, input: Input): MaybePromise<Result>
  readonly description?: string
  readonly estimatedMs?: number
  readonly longRunning?: boolean
}): Stage {
  const { name, description, estimatedMs, longRunning, run } = definition ?? {}
  demand(
    typeof name === 'string' && /^[a-z][a-zA-Z0-9]*$/.test(name),
    'stage.name',
    `"${name}" cannot name a stage. Use camelCase: hooks are named after it.`,
  )
  demand(typeof run === 'function', 'stage.run', `The stage "${name}" needs a function: run(ctx, input).`)
  const body: Stage['body'] = (frame, input) => {
    const result = definition.run(frame.context() as Context<undefined>, input as Input)
    return isThenable(result) ? Promise.resolve(result) : result
  }
  return { name, description, estimatedMs, longRunning, body }
}
