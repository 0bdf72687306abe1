import { demand, nearest, TurnbuckleError } from '../base/errors.ts'
import type { HookFunction, Middleware } from '../types/middleware.ts'
import { hookNames, isHookName } from './hook-name.ts'
import { type Definition, type Hooks, type OwnHooks, settings } from './hook-types.ts'
import { builtInNames } from './stage-fields.ts'

export type { Middleware }

/**
 * Makes a middleware. Hooks are named by one rule, `before|wrap|after` + stage, stages of your own included.
 *
 * ```ts
 * const limit = middleware({ name: 'limit', beforeStep: ctx => ctx.step >= 3 ? stop('3 steps') : undefined })
 * ```
 */
export function middleware<State = undefined, Own = object>(
  definition: Definition<State> & Partial<Hooks<State>> & OwnHooks<Own, State>,
): Middleware {
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
  return { name, priority, guard, tools, provides, state, scope, onFailure, timeout, hooks }
}

export function unknownHook(hook: string, owner: string, known: readonly string[]): TurnbuckleError {
  const close = nearest(hook, known)
  const hint = close ? `Did you mean "${close}"?` : `Known: ${known.join(', ')}.`
  return new TurnbuckleError('hook.unknown', `"${hook}" in middleware "${owner}" matches no stage. ${hint}`)
}
