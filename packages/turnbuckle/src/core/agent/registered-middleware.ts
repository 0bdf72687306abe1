import { demand, TurnbuckleError } from '../base/errors.ts'
import { none } from '../base/lists.ts'
import { HookSet } from '../hooks/hook-set.ts'
import { unknownHook, unknownPoint } from '../hooks/middleware.ts'
import type { HookInfo, MiddlewareInfo } from '../types/agent-core.ts'
import type { Middleware } from '../types/middleware.ts'
import type { Tool } from '../types/tool.ts'

interface Entry {
  readonly owner: Middleware
  enabled: boolean
  /** By conversation id: `enabled` for that conversation alone. */
  readonly inConversations: Map<string, boolean>
}

/** The middleware of an agent in the order of registration, each with its switches. */
export class RegisteredMiddleware {
  /** The names of all hooks that the agent's pipelines can have. */
  readonly #hookNames: readonly string[]
  #entries: readonly Entry[] = none

  constructor(hookNames: readonly string[]) {
    this.#hookNames = hookNames
  }

  /** Registers all of them, or, where one does not fit, none. Returns how to take them out again. */
  add(added: readonly Middleware[]): () => void {
    this.#checkAll(added)
    const entries = added.map((owner): Entry => ({ owner, enabled: true, inConversations: new Map() }))
    this.#entries = [...this.#entries, ...entries]
    return () => {
      this.#entries = this.#entries.filter(other => !entries.includes(other))
    }
  }

  /** Throws where the middleware of one turn does not fit beside that of the agent. */
  checkForTurn(use: readonly Middleware[]): void {
    this.#checkAll(use)
  }

  /** Switches a middleware for everyone. Returns how to undo it, or undefined where it was switched so already. */
  switchForAll(name: string, enabled: boolean): (() => void) | undefined {
    const entry = this.#entry(name)
    if (entry.enabled === enabled) return undefined
    entry.enabled = enabled
    return () => {
      entry.enabled = !enabled
    }
  }
  /** Switches a middleware for one conversation. True where that changes what holds there. */
  switchIn(conversationId: string, name: string, enabled: boolean): boolean {
    const { owner, enabled: forAll, inConversations } = this.#entry(name)
    const fix = `"${name}" brings tools, which are an agent's: switch it for everyone.`
    demand(!owner.provides.length, 'middleware.invalid', fix)
    const before = inConversations.get(conversationId) ?? forAll
    if (enabled === forAll) inConversations.delete(conversationId)
    else inConversations.set(conversationId, enabled)
    return before !== enabled
  }

  /** The middleware that is switched on, and, for that which is off, what takes its place. */
  inForce(conversationId?: string): readonly Middleware[] {
    const isOn = ({ enabled, inConversations }: Entry) =>
      (conversationId === undefined ? undefined : inConversations.get(conversationId)) ?? enabled
    return this.#entries.flatMap(entry => (isOn(entry) ? entry.owner : (entry.owner.whenOff ?? none)))
  }
  /** The tools of the middleware that is switched on. */
  get brought(): readonly Tool[] {
    return this.#entries.filter(({ enabled }) => enabled).flatMap(({ owner }) => owner.provides)
  }
  /** The conversations in which a middleware is switched otherwise than for everyone. */
  get switchedConversations(): ReadonlySet<string> {
    return new Set(this.#entries.flatMap(({ inConversations }) => [...inConversations.keys()]))
  }

  get list(): readonly MiddlewareInfo[] {
    return this.#entries.map(
      ({ owner: { name, description, priority, guard, whenOff }, enabled, inConversations }) => ({
        name,
        ...(description === undefined ? {} : { description }),
        enabled,
        priority,
        guard,
        ...(whenOff ? { holdsWhenOff: true as const } : {}),
        ...(inConversations.size ? { inConversations: Object.fromEntries(inConversations) } : {}),
      }),
    )
  }
  /** The hooks at a point, or at all, in the order they run. `besides`: middleware that is not registered and cannot be switched. */
  hooksAt(point: string | undefined, besides: readonly Middleware[]): readonly HookInfo[] {
    const known = this.#hookNames
    if (point !== undefined && !known.includes(point)) throw unknownPoint(point, known)
    const all = new HookSet([...this.#entries.map(({ owner }) => owner), ...besides])
    const isOff = (owner: Middleware) => this.#entries.some(entry => entry.owner === owner && !entry.enabled)
    return (point === undefined ? known : [point]).flatMap(name =>
      all.at(name).map(({ owner }) => {
        const { name: middleware, priority, guard } = owner
        return { point: name, middleware, priority, guard, enabled: !isOff(owner) }
      }),
    )
  }

  #entry(name: string): Entry {
    const entry = this.#entries.find(({ owner }) => owner.name === name)
    if (entry) return entry
    const names = this.#entries.map(({ owner }) => owner.name).join(', ') || 'none'
    throw new TurnbuckleError('middleware.unknown', `No middleware "${name}". There are: ${names}.`)
  }
  #checkAll(added: readonly Middleware[]): void {
    const taken = new Set(this.#entries.map(({ owner }) => owner.name))
    for (const owner of added) {
      checkIsMiddleware(owner)
      if (taken.has(owner.name))
        throw new TurnbuckleError(
          'middleware.duplicate',
          `There is a middleware "${owner.name}" already. Give this one another name.`,
        )
      taken.add(owner.name)
      for (const hook of Object.keys({ ...owner.hooks, ...owner.whenOff?.hooks }))
        if (!this.#hookNames.includes(hook)) throw unknownHook(hook, owner.name, this.#hookNames)
    }
  }
}

function checkIsMiddleware(owner: Middleware): void {
  const fix =
    typeof owner === 'function'
      ? `Call it: ${(owner as { name: string }).name}().`
      : 'Make one: middleware({ name, ... }).'
  demand(owner?.hooks, 'middleware.invalid', `That is no middleware. ${fix}`)
}
