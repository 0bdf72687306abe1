import { none } from '../base/lists.ts'
import type { ToolResult } from '../base/message.ts'
import type { Middleware } from '../types/middleware.ts'
import { hookName, isAfter, type OnPoint, type StagePoint } from './hook-name.ts'

/** A hook of a middleware, with its place in the order. */
export interface HookEntry {
  readonly owner: Middleware
  readonly fn: (...args: unknown[]) => unknown
  /** `beforeTool` */
  readonly at: string
  readonly point: StagePoint | 'on'
  /** Place of the middleware in the order of all. */
  readonly position: number
}

/** The hooks of one stage, compiled. */
export interface HookChain {
  readonly empty: boolean
  /** Before hooks without the guards, which come after them. */
  readonly before: readonly HookEntry[]
  readonly guards: readonly HookEntry[]
  /** First outermost, guards innermost. */
  readonly wraps: readonly HookEntry[]
  /** Guards first, then the others in reverse. */
  readonly after: readonly HookEntry[]
  /** Shared by every chain of a set. Part of the chain, so that a stage pins all hooks of a middleware or none. */
  readonly onChunk: readonly HookEntry[]
  readonly onError: readonly HookEntry[]
}

const noHooks: HookChain = {
  empty: true,
  before: none,
  guards: none,
  wraps: none,
  after: none,
  onChunk: none,
  onError: none,
}

/** The chain for calls that the provider ran itself, and that were told of afterwards: only after hooks are left. */
export const afterOnly = (chain: HookChain): HookChain => ({
  ...chain,
  empty: !chain.after.length,
  before: none,
  guards: none,
  wraps: none,
})

/** All hooks in force, compiled when the set changes. A stage pins the one it opens with. */
export class HookSet implements Readonly<Record<OnPoint, readonly HookEntry[]>> {
  readonly #order: readonly Middleware[]
  readonly #chains = new Map<string, HookChain>()
  #guardsOnly: HookSet | undefined
  readonly onChunk: readonly HookEntry[]
  readonly onError: readonly HookEntry[]
  readonly onEvent: readonly HookEntry[]
  readonly onOpen: readonly HookEntry[]
  readonly onTrace: readonly HookEntry[]
  /** A middleware has an `onOpen` or `onTrace` hook. */
  readonly traced: boolean
  /** There are no hooks at all. */
  readonly empty: boolean
  /** Cleans the texts of decisions, and never throws; undefined where no middleware does. */
  readonly redact: ((text: string) => string) | undefined
  /** Cleans results of calls, and never throws; undefined where no middleware does. */
  readonly #redactResult: ((result: ToolResult) => ToolResult) | undefined

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
    this.redact = inTurn(list.flatMap(({ redacts }) => (redacts ? orWithheldText(redacts) : [])))
    this.#redactResult = inTurn(
      list.flatMap(({ redactsResult }) => (redactsResult ? orWithheldResult(redactsResult) : [])),
    )
    this.traced = this.onOpen.length + this.onTrace.length > 0
  }

  /** A text that is told or kept, without what the redactors in force take out of it. */
  clean(text: string): string {
    return this.redact ? this.redact(text) : text
  }
  /**
   * A call's result without what the redactors in force take out of it. A tool's own result is cleaned by the redactor's `afterTool`, as
   * a decision that `explain()` tells. Results that come behind that hook are cleaned with this: one that a hook gives or that stands for
   * an error when it is read, since hooks and checkpoints see it before the call ends; and every one when the call ends, since
   * a sub-agent has the guards of its caller but not their `afterTool`.
   */
  cleanResult(result: ToolResult): ToolResult {
    return this.#redactResult?.(result) ?? result
  }
  /** The middleware in the order its hooks run. */
  get owners(): readonly Middleware[] {
    return this.#order
  }
  /** The names of the guards. */
  get guards(): readonly string[] {
    return this.#order.filter(({ guard }) => guard).map(({ name }) => name)
  }
  /** The guards' hooks alone, for a pipeline without hooks: guards hold in every pipeline. */
  get guardsOnly(): HookSet {
    this.#guardsOnly ??= new HookSet(this.#order.filter(({ guard }) => guard))
    return this.#guardsOnly
  }
  /** The hooks of that name in the order they run: `beforeTool`. */
  at(name: string): readonly HookEntry[] {
    const entries = this.#collect(name, 'on')
    return isAfter(name) ? entries.toReversed() : entries
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

/** One function that applies all of them; undefined where there are none. */
const inTurn = <Value>(all: readonly ((value: Value) => Value)[]): ((value: Value) => Value) | undefined =>
  all.length ? value => all.reduce((clean, next) => next(clean), value) : undefined

/** A redactor of texts that fails closed: a turn must be able to end, whatever its redactors do. */
const orWithheldText =
  (redacts: (text: string) => string) =>
  (text: string): string => {
    try {
      const clean: unknown = redacts(text)
      return typeof clean === 'string' ? clean : '[withheld]'
    } catch {
      return '[withheld]'
    }
  }

/** A redactor of results that fails closed. */
const orWithheldResult =
  (redactsResult: (result: ToolResult) => ToolResult) =>
  (result: ToolResult): ToolResult => {
    try {
      const clean: ToolResult | undefined = redactsResult(result)
      return clean ?? withheld('no result')
    } catch (error) {
      return withheld(errorName(error))
    }
  }
const withheld = (why: string): ToolResult => ({
  status: 'error',
  value: `The result is withheld: what cleans it has failed (${why}).`,
})
const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error)

/** True where a before hook, guard or wrap sees the stage's input before its body does. */
export const looksFirst = ({ before, guards, wraps }: HookChain): boolean =>
  before.length + guards.length + wraps.length > 0

/** False for a call of a tool that the hook's middleware is not limited to (`tools`). */
export function appliesTo(entry: HookEntry, frame: { readonly call: { readonly name: string } | undefined }): boolean {
  const { tools } = entry.owner
  const name = frame.call?.name
  if (!tools || name === undefined) return true
  return tools.some(pattern => (typeof pattern === 'string' ? pattern === name : name.search(pattern) >= 0))
}

const noMiddleware = new HookSet([])
const newest = new WeakMap<Middleware, { readonly list: readonly Middleware[]; readonly set: HookSet }>()

/** The hooks of a list in the order of registration. Agents with the same middleware, one for each conversation say, share one set. */
export function hookSetOf(list: readonly Middleware[]): HookSet {
  const [first] = list
  if (!first) return noMiddleware
  const known = newest.get(first)
  if (known && known.list.length === list.length && list.every((owner, i) => owner === known.list[i])) return known.set
  const set = new HookSet(list)
  newest.set(first, { list, set })
  return set
}
