import { demand } from '../base/errors.ts'
import type { Maybe } from '../base/maybe.ts'
import { isThenable } from '../base/ports.ts'
import { Directive } from '../directives/directives.ts'
import { obeyStage } from '../hooks/accept-directive.ts'
import type { Context, OwnInput, OwnResult, WrapDirectives } from '../hooks/hook-types.ts'
import { middleware } from '../hooks/middleware.ts'
import type { Stage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'

/** Every member of a stage: one of `Stage` that is not here is a type error. */
const blank: { readonly [Member in keyof Required<Stage>]: undefined } = {
  name: undefined,
  description: undefined,
  estimatedMs: undefined,
  longRunning: undefined,
  properties: undefined,
  takes: undefined,
  gives: undefined,
  begin: undefined,
  input: undefined,
  body: undefined,
  keep: undefined,
  follow: undefined,
  show: undefined,
  adopt: undefined,
  read: undefined,
  current: undefined,
  refresh: undefined,
  copyInput: undefined,
  isSameInput: undefined,
  cleanInput: undefined,
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

/** A stage of your own. Its input and result are those that `OwnStages` declares for its name. */
export interface StageDefinition<Name extends string = string> {
  /** In camelCase: hooks are named after it. */
  readonly name: Name
  /** Does the stage's work, and gives its result or a directive. In the place of `model` it may give a stream of chunks. */
  run(ctx: Context<undefined>, input: OwnInput<Name>): Maybe<OwnResult<Name> | Directive<WrapDirectives>>
  /** What the stage does, in a few words. */
  readonly description?: string
  /** How long it usually takes, in milliseconds. */
  readonly estimatedMs?: number
  /** It may take longer than a moment. */
  readonly longRunning?: boolean
  /** Whatever else a list of stages should say of it: `{ team: 'safety' }`. The loop does not read it. */
  readonly properties?: Readonly<Record<string, unknown>>
}

/**
 * Makes a stage of your own. Its hooks follow from its name: `moderate` has beforeModerate, wrapModerate, afterModerate.
 * `input` is the result of the stage before it. What it returns is its result, or a directive, which is obeyed as a hook's is.
 */
export function stage<const Name extends string>(definition: StageDefinition<Name>): Stage {
  const { name, description, estimatedMs, longRunning, properties, run } = definition ?? {}
  demand(
    typeof name === 'string' && /^[a-z][a-zA-Z0-9]*$/.test(name),
    'stage.name',
    `"${name}" cannot name a stage. Use camelCase: hooks are named after it.`,
  )
  demand(typeof run === 'function', 'stage.run', `The stage "${name}" needs a function: run(ctx, input).`)
  // A stage steers as a wrap of its own would, the innermost.
  const steers = {
    owner: middleware({ name }),
    fn: run as () => unknown,
    at: name,
    point: 'wrap',
    position: 0,
  } as const
  const obey = (frame: StageFrame, given: unknown) =>
    given instanceof Directive ? obeyStage(frame, steers, given) : given
  const body: Stage['body'] = (frame, input) => {
    const given = definition.run(frame.turn.agent.contextFor(frame) as Context<undefined>, input as OwnInput<Name>)
    return isThenable(given) ? given.then(value => obey(frame, value)) : obey(frame, given)
  }
  return { name, description, estimatedMs, longRunning, properties, body }
}
