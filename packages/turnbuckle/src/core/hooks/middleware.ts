import { demand, nearest, TurnbuckleError } from '../base/errors.ts'
import { copyPlain } from '../base/plain-data.ts'
import type { StateScope } from '../history/tree.ts'
import type { HookFunction, Middleware, Use } from '../types/middleware.ts'
import { hookNames, isHookName } from './hook-name.ts'
import { type DeepReadonly, type Definition, type Hooks, type OwnHooks, settings } from './hook-types.ts'
import { builtInNames } from './stage-fields.ts'

export type { Middleware, Use }

/**
 * Makes a middleware. Hooks are named by one rule, `before|wrap|after` + stage; stages of your own are declared in `OwnStages`.
 *
 * ```ts
 * const limit = middleware({ name: 'limit', beforeStep: ctx => ctx.step >= 3 ? stop('3 steps') : undefined })
 * ```
 */
export function middleware<State = undefined, Guard extends boolean = boolean>(
  definition: Definition<State, Guard> &
    Partial<Hooks<DeepReadonly<State>, Guard>> &
    Partial<OwnHooks<DeepReadonly<State>, Guard>>,
): Middleware<DeepReadonly<NoInfer<State>>> {
  demand(definition?.name, 'middleware.unnamed', 'A middleware needs a name: middleware({ name: ... }).')
  const hooks = readHooks(definition, definition.name)
  const {
    name,
    description,
    priority = 100,
    guard = false,
    tools,
    provides = [],
    state,
    scope = 'turn',
    onFailure,
    timeout,
    maxSteps,
    redacts,
    redactsResult,
    whenOff,
  } = definition
  // A copy that no conversation can change: the definition's object stays the developer's.
  const own = copyPlain(state, `"${name}": state`) as DeepReadonly<State>
  const made = {
    name,
    description,
    priority,
    guard,
    tools,
    provides,
    state: own,
    scope,
    onFailure,
    timeout,
    maxSteps,
    redacts,
    redactsResult,
    hooks,
  }
  checkSettings(made)
  return whenOff ? { ...made, whenOff: { ...made, provides: [], hooks: readHooks(whenOff, name) } } : made
}

function readHooks(given: object, owner: string): Record<string, HookFunction> {
  const hooks: Record<string, HookFunction> = {}
  for (const [name, value] of Object.entries(given)) {
    if (settings.includes(name) || value === undefined) continue
    if (!isHookName(name)) throw unknownHook(name, owner, [...hookNames(builtInNames), ...settings])
    demand(typeof value === 'function', 'hook.invalid', `"${name}" of "${owner}" has to be a function.`)
    hooks[name] = value as HookFunction
  }
  return hooks
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

/** All middleware of a list, in order. What is no middleware stays, to be refused where it is registered. */
export const flatUse = (use: Use): Middleware[] => (Array.isArray(use) ? use.flatMap(flatUse) : [use as Middleware])

export const unknownHook = (hook: string, owner: string, known: readonly string[]): TurnbuckleError =>
  new TurnbuckleError(
    'hook.unknown',
    `"${hook}" in middleware "${owner}" matches no stage. ${knownInstead(hook, known)}`,
  )

export const unknownPoint = (point: string, known: readonly string[]): TurnbuckleError =>
  new TurnbuckleError('hook.unknown', `There is no hook point "${point}". ${knownInstead(point, known)}`)

function knownInstead(hook: string, known: readonly string[]): string {
  const close = nearest(hook, known)
  return close ? `Did you mean "${close}"?` : `Known: ${known.join(', ')}.`
}
