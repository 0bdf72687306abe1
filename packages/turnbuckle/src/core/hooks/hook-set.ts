import { demand, nearest, TurnbuckleError } from '../base/errors.ts'
import { none } from '../base/none.ts'
import type { Tool } from '../tools/tool.ts'
import type { BuiltIn, Definition, Hooks, OwnHooks } from './hook-types.ts'

export type StateScope = 'turn' | 'branch' | 'conversation'

/** A named bundle of hooks with its own typed state. Holds no state itself: one serves any number of conversations. */
export interface Middleware {
  readonly name: string
  readonly priority: number
  readonly guard: boolean
  /** The tools whose `tool` hooks it applies to; all when absent. */
  readonly tools?: readonly (string | RegExp)[] | undefined
  /** Tools that the agent has while this middleware is on. */
  readonly provides: readonly Tool[]
  readonly state: unknown
  readonly scope: StateScope
  readonly onFailure?: 'open' | 'closed' | undefined
  readonly timeout?: number | undefined
  readonly hooks: Readonly<Record<string, HookFunction>>
}

export type HookFunction = (...args: never[]) => unknown

const points: readonly string[] = ['onChunk', 'onError', 'onEvent', 'onOpen', 'onTrace']
const settings: readonly string[] = [
  'name',
  'priority',
  'guard',
  'tools',
  'provides',
  'state',
  'scope',
  'onFailure',
  'timeout',
]
/** The built-in ones, for messages; which others there are the agent knows. */
const stages: readonly BuiltIn[] = ['turn', 'input', 'step', 'model', 'detect', 'append', 'tools', 'tool', 'decide']
const isHookName = (name: string): boolean => points.includes(name) || /^(before|wrap|after)[A-Z]/.test(name)

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
    if (!isHookName(name)) throw unknownHook(name, definition.name, [...hookNames(stages), ...settings])
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

/** One hook of one middleware, in its place. */
export interface HookEntry {
  readonly owner: Middleware
  readonly fn: (...args: unknown[]) => unknown
  /** `beforeTool` */
  readonly at: string
  readonly point: 'before' | 'wrap' | 'after' | 'on'
  /** Place of the middleware in the order of all. */
  readonly position: number
}

/** The hooks of one stage, compiled. */
export interface HookChain {
  readonly empty: boolean
  /** Without the guards, which come after them. */
  readonly before: readonly HookEntry[]
  readonly guards: readonly HookEntry[]
  /** First outermost, guards innermost. */
  readonly wraps: readonly HookEntry[]
  /** Guards first, then the others in reverse. */
  readonly after: readonly HookEntry[]
  /** The same in every chain of a set: a stage is opened with all of a middleware, or with nothing of it. */
  readonly onChunk: readonly HookEntry[]
  readonly onError: readonly HookEntry[]
}

const capital = (stage: string): string => stage.charAt(0).toUpperCase() + stage.slice(1)
const hookName = (point: string, stage: string): string => point + capital(stage)
export const hookNames = (stages: readonly string[]): string[] => [
  ...stages.flatMap(stage => ['before', 'wrap', 'after'].map(point => hookName(point, stage))),
  ...points,
]

const noHooks: HookChain = {
  empty: true,
  before: none,
  guards: none,
  wraps: none,
  after: none,
  onChunk: none,
  onError: none,
}

/** For what had run before we heard of it. */
export const afterOnly = (chain: HookChain): HookChain => ({
  ...chain,
  empty: !chain.after.length,
  before: none,
  guards: none,
  wraps: none,
})

/** All hooks in force, compiled when the set changes. A stage pins the one it opens with. */
export class HookSet {
  readonly #order: readonly Middleware[]
  readonly #chains = new Map<string, HookChain>()
  readonly onChunk: readonly HookEntry[]
  readonly onError: readonly HookEntry[]
  readonly onEvent: readonly HookEntry[]
  readonly onOpen: readonly HookEntry[]
  readonly onTrace: readonly HookEntry[]
  /** Somebody hears of stages and hooks. */
  readonly traced: boolean
  /** There are no hooks at all. */
  readonly empty: boolean

  /** `list` in the order of registration. Guards come after all others, whatever their priority. */
  constructor(list: readonly Middleware[]) {
    this.#order = list
      .map((mw, index) => ({ mw, index }))
      .sort((a, b) => Number(a.mw.guard) - Number(b.mw.guard) || a.mw.priority - b.mw.priority || a.index - b.index)
      .map(({ mw }) => mw)
    this.empty = list.every(({ hooks }) => !Object.keys(hooks).length)
    this.onChunk = this.#collect('onChunk', 'on')
    this.onError = this.#collect('onError', 'on')
    this.onEvent = this.#collect('onEvent', 'on')
    this.onOpen = this.#collect('onOpen', 'on')
    this.onTrace = this.#collect('onTrace', 'on')
    this.traced = this.onOpen.length + this.onTrace.length > 0
  }

  /** The names of those that protect. */
  get guards(): readonly string[] {
    return this.#order.filter(({ guard }) => guard).map(({ name }) => name)
  }
  has(owner: Middleware): boolean {
    return this.#order.includes(owner)
  }
  with(more: readonly Middleware[]): HookSet {
    return new HookSet([...this.#order, ...more])
  }
  /** These hooks, and the guards of another set inside them. */
  under(above: HookSet): HookSet {
    const guards = above.#order.filter(owner => owner.guard && !this.has(owner))
    return guards.length ? new HookSet([...this.#order, ...guards]) : this
  }

  chain(stage: string): HookChain {
    if (this.empty) return noHooks
    const known = this.#chains.get(stage)
    if (known) return known
    const chain = this.#compile(stage)
    this.#chains.set(stage, chain)
    return chain
  }

  #compile(stage: string): HookChain {
    const before = this.#collect(hookName('before', stage), 'before')
    const wraps = this.#collect(hookName('wrap', stage), 'wrap')
    const after = this.#collect(hookName('after', stage), 'after').toReversed()
    const { onChunk, onError } = this
    if (!before.length && !wraps.length && !after.length) return { ...noHooks, onChunk, onError }
    const isGuard = (entry: HookEntry) => entry.owner.guard
    return {
      empty: false,
      before: before.filter(entry => !isGuard(entry)),
      guards: before.filter(isGuard),
      wraps,
      after,
      onChunk,
      onError,
    }
  }

  #collect(at: string, point: HookEntry['point']): HookEntry[] {
    return this.#order.flatMap((owner, position) => {
      const fn = owner.hooks[at] as HookEntry['fn'] | undefined
      return fn ? [{ owner, fn, at, point, position }] : []
    })
  }
}

/** Whether hooks see what the stage takes before the stage does. */
export const looksFirst = ({ before, guards, wraps }: HookChain): boolean =>
  before.length + guards.length + wraps.length > 0

/** Whether a hook is meant for this call: a middleware may be limited to some tools. */
export function applies(entry: HookEntry, frame: { readonly call: { readonly name: string } | undefined }): boolean {
  const { tools } = entry.owner
  const name = frame.call?.name
  if (!tools || name === undefined) return true
  return tools.some(pattern => (typeof pattern === 'string' ? pattern === name : name.search(pattern) >= 0))
}
