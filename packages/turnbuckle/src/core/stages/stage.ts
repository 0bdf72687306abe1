import { demand } from '../base/errors.ts'
import type { Maybe } from '../base/maybe.ts'
import type { Context } from '../hooks/hook-types.ts'
import type { Stage } from '../types/stage.ts'

/** Every member of a stage: one of `Stage` that is not here is a type error. */
const blank: { readonly [Member in keyof Required<Stage>]: undefined } = {
  name: undefined,
  description: undefined,
  estimatedMs: undefined,
  longRunning: undefined,
  takes: undefined,
  gives: undefined,
  begin: undefined,
  input: undefined,
  body: undefined,
  keep: undefined,
  follow: undefined,
  show: undefined,
  read: undefined,
  current: undefined,
  refresh: undefined,
  check: undefined,
  foresee: undefined,
  failed: undefined,
  blocked: undefined,
  failureBlocks: undefined,
  refusal: undefined,
  errorKind: undefined,
  outlivesErrors: undefined,
  toLog: undefined,
  fromLog: undefined,
  reopensWith: undefined,
  builtIn: undefined,
  needed: undefined,
  readsReplacement: undefined,
  required: undefined,
  repeats: undefined,
  precedesSteps: undefined,
  holdsOthers: undefined,
  opensWhenHalting: undefined,
  inheritsCancel: undefined,
  calledByHook: undefined,
}

/** The stage with every member that it could have: objects of one shape are read much faster than objects of ten. */
export const withAllMembers = (stage: Stage): Stage => ({ ...blank, ...stage }) as Stage

/**
 * Makes a stage of your own. Its hooks follow from its name: `moderate` has beforeModerate, wrapModerate, afterModerate.
 * `input` is the result of the stage before it.
 */
export function stage<Input = unknown, Result = unknown>(definition: {
  readonly name: string
  run(ctx: Context<undefined>, input: Input): Maybe<Result>
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
  const body: Stage['body'] = (frame, input) =>
    definition.run(frame.turn.agent.contextFor(frame) as Context<undefined>, input as Input)
  return { name, description, estimatedMs, longRunning, body }
}
