import { demand, nearest, TurnbuckleError } from '../base/errors.ts'
import { copyPlain } from '../base/plain-data.ts'
import type { Tool } from '../types/tool.ts'
import type { StagePoint } from './hook-set.ts'
import { type DeepReadonly, type Definition, type Hooks, type OwnHooks, onPoints, settings } from './hook-types.ts'
import { builtInNames } from './stage-fields.ts'

export type StateScope = 'turn' | 'branch' | 'conversation'

/** A named bundle of hooks with its own typed state. Holds no state itself: one serves any number of conversations. */
export interface Middleware<State = unknown> {
  readonly name: string
  /** Lower runs first. */
  readonly priority: number
  /** Protects: runs innermost, may not rewrite, fails closed. */
  readonly guard: boolean
  /** The tools whose `tool` hooks it applies to; all when absent. */
  readonly tools?: readonly (string | RegExp)[] | undefined
  /** Tools that the agent has while this middleware is on. */
  readonly provides: readonly Tool[]
  /** The first state, frozen. */
  readonly state: State
  readonly scope: StateScope
  readonly onFailure?: 'open' | 'closed' | undefined
  readonly timeout?: number | undefined
  readonly hooks: Readonly<Record<string, HookFunction>>
}

export type HookFunction = (...args: never[]) => unknown

const stagePoints = Object.keys({ before: true, wrap: true, after: true } satisfies Record<StagePoint, true>)
const stageHook = new RegExp(`^(${stagePoints.join('|')})[A-Z]`)
const isHookName = (name: string): boolean => onPoints.includes(name) || stageHook.test(name)

/**
 * Makes a middleware. Hooks are named by one rule, `before|wrap|after` + stage; stages of your own are declared in `OwnStages`.
 *
 * ```ts
 * const limit = middleware({ name: 'limit', beforeStep: ctx => ctx.step >= 3 ? stop('3 steps') : undefined })
 * ```
 */
export function middleware<State = undefined>(
  definition: Definition<State> & Partial<Hooks<DeepReadonly<State>>> & Partial<OwnHooks<DeepReadonly<State>>>,
): Middleware<DeepReadonly<NoInfer<State>>> {
  demand(definition?.name, 'middleware.unnamed', 'A middleware needs a name: middleware({ name: ... }).')
  const hooks: Record<string, HookFunction> = {}
  for (const [name, value] of Object.entries(definition)) {
    if (settings.includes(name) || value === undefined) continue
    if (!isHookName(name)) throw unknownHook(name, definition.name, [...hookNames(builtInNames), ...settings])
    demand(typeof value === 'function', 'hook.invalid', `"${name}" of "${definition.name}" has to be a function.`)
    hooks[name] = value as HookFunction
  }
  const {
    name,
    priority = 100,
    guard = false,
    tools,
    provides = [],
    state,
    scope = 'turn',
    onFailure,
    timeout,
  } = definition
  // A copy that no conversation can change: the definition's object stays the developer's.
  const own = copyPlain(state, `"${name}": state`) as DeepReadonly<State>
  const made = { name, priority, guard, tools, provides, state: own, scope, onFailure, timeout, hooks }
  checkSettings(made)
  return made
}

const scopes: readonly string[] = Object.keys({ turn: true, branch: true, conversation: true } satisfies Record<
  StateScope,
  true
>)

/** Settings that the types would have refused: a NaN priority would sort at random, an unknown scope keep its state nowhere. */
function checkSettings({ name, priority, scope, onFailure, timeout, tools }: Middleware): void {
  const refuse = (fits: boolean, setting: string, fix: string) =>
    demand(fits, 'middleware.invalid', `"${setting}" of "${name}" ${fix}.`)
  refuse(
    typeof priority === 'number' && !Number.isNaN(priority),
    'priority',
    `has to be a number, not ${String(priority)}`,
  )
  refuse(scopes.includes(scope), 'scope', `is one of ${scopes.join(', ')}, not ${String(scope)}`)
  refuse(
    onFailure === undefined || onFailure === 'open' || onFailure === 'closed',
    'onFailure',
    `is open or closed, not ${String(onFailure)}`,
  )
  refuse(timeout === undefined || timeout > 0, 'timeout', `has to be milliseconds, more than 0, not ${String(timeout)}`)
  const isPattern = (given: unknown) => typeof given === 'string' || given instanceof RegExp
  refuse(
    tools === undefined || (Array.isArray(tools) && tools.every(isPattern)),
    'tools',
    'is a list of names and regular expressions',
  )
}

/** Middleware, or a list of it: lists may hold lists, wherever `use` is taken. */
export type Use = Middleware | readonly Use[]

/** All middleware of a list, in order. */
export const flatUse = (use: Use | undefined): Middleware[] =>
  Array.isArray(use) ? use.flatMap(flatUse) : use === undefined ? [] : [use as Middleware]

export function unknownHook(hook: string, owner: string, known: readonly string[]): TurnbuckleError {
  const close = nearest(hook, known)
  const hint = close ? `Did you mean "${close}"?` : `Known: ${known.join(', ')}.`
  return new TurnbuckleError('hook.unknown', `"${hook}" in middleware "${owner}" matches no stage. ${hint}`)
}

const capital = (stage: string): string => stage.charAt(0).toUpperCase() + stage.slice(1)
export const hookName = (point: string, stage: string): string => point + capital(stage)
export const hookNames = (stages: readonly string[]): string[] => [
  ...stages.flatMap(stage => stagePoints.map(point => hookName(point, stage))),
  ...onPoints,
]
