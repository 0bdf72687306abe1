import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { noteOnce } from '../base/developer-note.ts'
import type { ErrorPolicy } from '../base/errors.ts'
import { demand, TurnbuckleError } from '../base/errors.ts'
import { type Clock, type Ids, type Model, randomIds, systemClock, type ToolSpec } from '../base/ports.ts'
import { HookContext } from '../context/hook-context.ts'
import { ConversationLog } from '../durable/conversation-log.ts'
import type { Store } from '../durable/log-port.ts'
import { whenWriter } from '../events/news.ts'
import { SharedConversation } from '../events/shared-conversation.ts'
import { hookNames } from '../hooks/hook-name.ts'
import { afterOnly, type HookChain, type HookEntry, HookSet } from '../hooks/hook-set.ts'
import { flatUse, type Middleware, unknownHook, unknownPoint } from '../hooks/middleware.ts'
import { builtInStages } from '../stages/built-in-stages.ts'
import { checkBySchema, type SchemaCheck } from '../tools/check-by-schema.ts'
import { interruptTurn } from '../turn/interrupt-turn.ts'
import { parkTurn } from '../turn/park-turn.ts'
import type { AgentHandle, ConversationSource, HookInfo, MiddlewareInfo } from '../types/agent-core.ts'
import type { Use } from '../types/middleware.ts'
import type { Pipeline } from '../types/pipeline.ts'
import type { Stage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { Tool } from '../types/tool.ts'
import type { Turn } from '../types/turn.ts'
import type { TurnState } from '../types/turn-state.ts'
import { Conversation } from './conversation.ts'
import { needsApproval } from './needs-approval.ts'
import { seedHistory } from './seed-history.ts'

export interface AgentOptions {
  /** The model that replies. */
  readonly model: Model
  /** Names it in traces and for its callers. `agent` by default. */
  readonly name?: string
  /** System text for every model call. */
  readonly instructions?: string
  /** The tools that the model may call. */
  readonly tools?: readonly Tool[]
  /** Middleware, in the order of registration. Lists may hold lists. */
  readonly use?: readonly Use[]
  /** The order of stages. */
  readonly pipeline: Pipeline
  /**
   * Pipelines that hooks hand over to with `goto(pipeline)`, by a name that stays: hooks of their stages may be registered, and a turn
   * that was handed to one can be resumed.
   */
  readonly pipelines?: Readonly<Record<string, Pipeline>>
  /** 50 by default; `Infinity` removes the limit. */
  readonly maxSteps?: number
  /** The most calls of a batch that run at once; all by default. */
  readonly parallelTools?: number
  /** The most turns inside each other: agents that call agents, hooks that call the loop. 8 by default. */
  readonly maxDepth?: number
  /**
   * Per kind of error: whether it stops the turn once no hook has handled it. `{ hook: 'ignore' }` is the soft mode of hooks: a hook that
   * fails is told of and is as if it were not there, but for guards and middleware with `onFailure: 'closed'`.
   */
  readonly errors?: ErrorPolicy
  /** Milliseconds that hooks have for cleaning up after an interrupt. 5,000 by default. */
  readonly cleanupMs?: number
  /**
   * Checks the arguments of tools that came with JSON Schema only (MCP, `schema`). By default the words that forms are made of: types,
   * required and unknown members, values, limits. `loadSchemaCheck` of `turnbuckle/tools` knows every word.
   */
  readonly schemaCheck?: SchemaCheck
  /** The source of time; another one for tests. */
  readonly clock?: Clock
  /** The source of ids; another one for tests. */
  readonly ids?: Ids
  /** The store that keeps conversations. Without one they live in memory. */
  readonly store?: Store | undefined
}

interface Registered {
  readonly owner: Middleware
  enabled: boolean
  /** By conversation id: `enabled` for that conversation alone. */
  readonly inConversations: Map<string, boolean>
}

/** The agent behind its handles: tools, middleware and options, shared by all conversations. Holds no turn's state. */
export class AgentCore {
  readonly name: string
  readonly pipeline: Pipeline
  readonly pipelines: Readonly<Record<string, Pipeline>>
  readonly instructions: string
  readonly maxSteps: number
  readonly parallelTools: number
  readonly maxDepth: number
  readonly cleanupMs: number
  readonly errors: ErrorPolicy
  readonly clock: Clock
  readonly ids: Ids
  hooks: HookSet = new HookSet([])
  /** The hooks of conversations in which a middleware is switched otherwise than for everyone. */
  readonly #hooksIn = new Map<string, HookSet>()
  /** The tools as the model is told of them: one array, replaced only when the tools change. */
  specs: readonly ToolSpec[] = []
  readonly #model: Model
  readonly #ownTools: readonly Tool[]
  readonly #schemaCheck: SchemaCheck | undefined
  /** Tools with the check of their arguments: a tool stays the same one when the middleware changes. */
  readonly #checked = new WeakMap<Tool, Tool>()
  readonly #tools = new Map<string, Tool>()
  #registered: Registered[] = []
  /** Guards that the agent's tools bring. They cannot be switched off. */
  #implied: readonly Middleware[] = []
  readonly #store: Store | undefined
  /** A conversation is let go of when nobody holds it; one that was asked for by name and has no store is kept. */
  readonly #threads = new Map<string, SharedConversation | WeakRef<SharedConversation>>()
  readonly #forgotten: FinalizationRegistry<string> = new FinalizationRegistry(id => {
    if (!this.#known(id)) this.#threads.delete(id)
  })
  /** Conversations that are being read. */
  readonly #reading = new Map<string, Promise<SharedConversation>>()
  closed = false
  readonly #handles: AgentHandle[] = []
  /** The hooks of turns that have more than the agent's own, and from what they were put together. */
  readonly #combined = new WeakMap<
    TurnState,
    { readonly own: HookSet; readonly above: HookSet | undefined; readonly all: HookSet }
  >()

  constructor(options: AgentOptions) {
    this.name = options.name ?? 'agent'
    this.pipeline = options.pipeline
    this.pipelines = options.pipelines ?? {}
    this.instructions = options.instructions ?? ''
    this.maxSteps = options.maxSteps ?? 50
    this.parallelTools = options.parallelTools ?? Infinity
    this.maxDepth = options.maxDepth ?? 8
    this.cleanupMs = options.cleanupMs ?? 5000
    this.errors = options.errors ?? {}
    this.clock = options.clock ?? systemClock
    this.ids = options.ids ?? randomIds
    this.#store = options.store
    this.#model = options.model
    this.#ownTools = options.tools ?? []
    this.#schemaCheck = options.schemaCheck
    for (const owner of flatUse(options.use ?? [])) this.#add(owner)
    this.#compile()
    this.#noteLeftOut()
  }
  /** A pipeline without hooks says whose it leaves out. The breaker that every agent has is not worth a note. */
  #noteLeftOut(): void {
    if (this.pipeline.hooks) return
    const names = this.middleware
      .filter(({ guard, name }) => !guard && name !== 'circuit-breaker')
      .map(({ name }) => name)
    if (names.length)
      noteOnce(
        this,
        'hooks',
        () => `The pipeline of "${this.name}" has no hooks but those of guards: ${names.join(', ')} left out.`,
      )
  }

  model(): Model {
    return this.#model
  }
  tool(name: string): Tool | undefined {
    return this.#tools.get(name)
  }
  get tools(): readonly Tool[] {
    return [...this.#tools.values()]
  }

  /** The hooks of a stage, for a turn that opens it now. A call that a provider ran itself has only its after hooks left. */
  hookChain(stage: Stage, turn: TurnState): HookChain {
    const chain = this.hooksFor(turn).chain(stage.name)
    const observed = turn.calls.observed && (stage.takes === 'call' || stage.takes === 'calls')
    return observed ? afterOnly(chain) : chain
  }
  /** The agent's hooks, those of this turn alone, and the guards of whoever called this sub-agent. A pipeline without hooks keeps the guards. */
  hooksFor(turn: TurnState): HookSet {
    const all = this.#allHooks(turn)
    return turn.pipeline.hooks ? all : all.guardsOnly
  }
  #allHooks(turn: TurnState): HookSet {
    const hooks = this.#hooksIn.size ? (this.#hooksIn.get(turn.conversation.id) ?? this.hooks) : this.hooks
    if (!turn.parent && !turn.use.length) return hooks
    const above = turn.parent?.hooks
    const known = this.#combined.get(turn)
    if (known?.own === hooks && known.above === above) return known.all
    const own = turn.use.length ? hooks.with(turn.use) : hooks
    const all = above ? own.under(above) : own
    this.#combined.set(turn, { own: hooks, above, all })
    return all
  }
  /** The context that a hook of a stage is called with. For a wrap: its own input, and what cancels its attempt. */
  contextFor(frame: StageFrame, entry?: HookEntry, given?: unknown, cancel?: AttemptCancel): HookContext {
    return new HookContext(frame, entry, given, cancel)
  }

  use(added: Use): () => void {
    const entries: Registered[] = []
    const remove = () => {
      this.#registered = this.#registered.filter(other => !entries.includes(other))
    }
    this.#compileOr(remove, () => {
      for (const owner of flatUse(added)) entries.push(this.#add(owner))
    })
    return () => {
      remove()
      this.#compile()
    }
  }
  /** Changes the middleware and compiles; where that throws (two tools of one name), undoes the change first. */
  #compileOr(undo: () => void, change: () => void): void {
    try {
      change()
      this.#compile()
    } catch (error) {
      undo()
      this.#compile()
      throw error
    }
  }
  get middleware(): readonly MiddlewareInfo[] {
    return this.#registered.map(({ owner: { name, priority, guard }, enabled, inConversations }) => ({
      name,
      enabled,
      priority,
      guard,
      ...(inConversations.size ? { inConversations: Object.fromEntries(inConversations) } : {}),
    }))
  }
  hooksAt(point: string | undefined): readonly HookInfo[] {
    const known = this.#hookNames
    if (point !== undefined && !known.includes(point)) throw unknownPoint(point, known)
    const all = new HookSet([...this.#registered.map(({ owner }) => owner), ...this.#implied])
    const isOff = (owner: Middleware) => this.#registered.some(entry => entry.owner === owner && !entry.enabled)
    return (point === undefined ? known : [point]).flatMap(name =>
      all.at(name).map(({ owner }) => {
        const { name: middleware, priority, guard } = owner
        return { point: name, middleware, priority, guard, enabled: !isOff(owner) }
      }),
    )
  }
  switch(name: string, enabled: boolean, conversationId?: string): void {
    const entry = this.#registered.find(({ owner }) => owner.name === name)
    if (!entry) {
      const names = this.#registered.map(({ owner }) => owner.name).join(', ') || 'none'
      throw new TurnbuckleError('middleware.unknown', `No middleware "${name}". There are: ${names}.`)
    }
    if (conversationId !== undefined) this.#switchIn(conversationId, entry, enabled)
    else if (entry.enabled !== enabled) this.#switchForAll(entry, enabled)
  }
  #switchForAll(entry: Registered, enabled: boolean): void {
    const { name } = entry.owner
    const put = (now: boolean) => () => {
      entry.enabled = now
    }
    this.#compileOr(put(!enabled), put(enabled))
    for (const id of this.#threads.keys())
      this.#known(id)?.tell({ type: 'middleware.changed', name, enabled }, undefined, whenWriter)
  }
  #switchIn(conversationId: string, { owner, enabled: forAll, inConversations }: Registered, enabled: boolean): void {
    const { name, provides } = owner
    const fix = `"${name}" brings tools, which are an agent's: switch it for everyone.`
    demand(!provides.length, 'middleware.invalid', fix)
    const before = inConversations.get(conversationId) ?? forAll
    if (enabled === forAll) inConversations.delete(conversationId)
    else inConversations.set(conversationId, enabled)
    this.#compile()
    if (before === enabled) return
    const event = { type: 'middleware.changed', name, enabled, only: true } as const
    this.#known(conversationId)?.tell(event, undefined, whenWriter)
  }

  /** Middleware of one turn alone has to fit as well. */
  check(use: readonly Middleware[]): void {
    use.forEach((owner, i) => {
      this.#check(owner, use.slice(0, i))
      const fix = `"${owner.name}" brings tools, which are an agent's: createAgent({ use }).`
      demand(!owner.provides.length, 'middleware.invalid', fix)
    })
  }
  #add(owner: Middleware): Registered {
    this.#check(owner, [])
    const entry = { owner, enabled: true, inConversations: new Map() }
    this.#registered = [...this.#registered, entry]
    return entry
  }
  #check(owner: Middleware, besides: readonly Middleware[]): void {
    const fix =
      typeof owner === 'function'
        ? `Call it: ${(owner as { name: string }).name}().`
        : 'Make one: middleware({ name, ... }).'
    demand(owner?.hooks, 'middleware.invalid', `That is no middleware. ${fix}`)
    if ([...this.#registered.map(entry => entry.owner), ...besides].some(({ name }) => name === owner.name))
      throw new TurnbuckleError(
        'middleware.duplicate',
        `There is a middleware "${owner.name}" already. Give this one another name.`,
      )
    const known = this.#hookNames
    for (const hook of Object.keys({ ...owner.hooks, ...owner.whenOff?.hooks }))
      if (!known.includes(hook)) throw unknownHook(hook, owner.name, known)
  }

  /** The names of all hooks there can be. A hook of a built-in stage that this pipeline leaves out is no mistake. */
  get #hookNames(): readonly string[] {
    const pipelines = [this.pipeline, ...Object.values(this.pipelines)]
    return hookNames([...new Set([...builtInStages.keys(), ...pipelines.flatMap(({ names }) => names)])])
  }

  /** Puts the hook chains and the tool list together. They change only here, so that a step works nothing out. */
  #compile(): void {
    const enabled = this.#registered.filter(entry => entry.enabled).map(({ owner }) => owner)
    this.#tools.clear()
    for (const tool of [...this.#ownTools, ...enabled.flatMap(({ provides }) => provides)]) {
      demand(tool?.schema && tool.run, 'tool.invalid', 'That is no tool. Make one: tool({ name, input, run }).')
      if (this.#tools.has(tool.name))
        throw new TurnbuckleError('tool.duplicate', `There are two tools "${tool.name}". Rename one.`)
      const checked = this.#checked.get(tool) ?? checkBySchema(tool, this.#schemaCheck)
      this.#checked.set(tool, checked)
      this.#tools.set(tool.name, checked)
    }
    this.specs = Object.freeze(this.tools.map(({ name, description, schema }) => ({ name, description, schema })))
    this.#implied = this.tools.some(tool => tool.needsApproval) ? [needsApproval] : []
    const inForce = (isOn: (entry: Registered) => boolean) =>
      new HookSet([
        ...this.#registered.flatMap(entry => (isOn(entry) ? entry.owner : (entry.owner.whenOff ?? []))),
        ...this.#implied,
      ])
    this.hooks = inForce(entry => entry.enabled)
    this.#hooksIn.clear()
    for (const id of new Set(this.#registered.flatMap(entry => [...entry.inConversations.keys()])))
      this.#hooksIn.set(
        id,
        inForce(entry => entry.inConversations.get(id) ?? entry.enabled),
      )
  }

  conversation(from: string | ConversationSource | undefined, depth: number): Conversation {
    const source = typeof from === 'string' ? { id: from } : (from ?? {})
    const conversation = (source.id === undefined ? undefined : this.#known(source.id)) ?? this.#attached(source)
    if (source.messages) seedHistory(conversation, source.messages, this.ids)
    return handleOf(this, conversation, depth)
  }

  #attached(source: ConversationSource): SharedConversation {
    const conversation = this.#newThread(source)
    if (!this.#store) return conversation
    const { firstRead } = new ConversationLog(conversation, this.#store, source.id !== undefined)
    // A new conversation needs nothing of the store yet; one that is named must be opened first.
    if (firstRead && source.id !== undefined)
      throw new TurnbuckleError('conversation.closed', `"${source.id}" has to be read first: await agent.open(id).`)
    this.remember(conversation)
    return conversation
  }

  async open(id: string, depth: number): Promise<Conversation> {
    await this.#known(id)?.journal?.refresh()
    return handleOf(this, this.#known(id) ?? (await this.#read(id)), depth)
  }

  /** Reads a conversation from the store. Callers that ask for it meanwhile share one reading. */
  #read(id: string): Promise<SharedConversation> {
    const reading = this.#reading.get(id)
    if (reading) return reading
    const conversation = this.#newThread({ id })
    const attached = async () => {
      if (this.#store) await new ConversationLog(conversation, this.#store).firstRead
      this.remember(conversation)
      return this.#known(id) ?? conversation
    }
    const read = attached().finally(() => this.#reading.delete(id))
    this.#reading.set(id, read)
    return read
  }

  #newThread({ id, owner }: ConversationSource): SharedConversation {
    const conversation = new SharedConversation(id ?? this.ids.next('conv'), this.clock)
    conversation.owner = owner
    if (id !== undefined && !this.#store) this.#threads.set(conversation.id, conversation)
    return conversation
  }
  /** Finds a conversation by its id while somebody holds it. Without a store only from when its id is first read. */
  remember(conversation: SharedConversation): void {
    if (conversation.journal?.broken !== undefined || this.#known(conversation.id)) return
    this.#threads.set(conversation.id, new WeakRef(conversation))
    this.#forgotten.register(conversation, conversation.id)
  }
  /** A conversation whose log broke is not known, and so is read anew: its memory may be ahead of the log. */
  #known(id: string): SharedConversation | undefined {
    const kept = this.#threads.get(id)
    const conversation = kept instanceof WeakRef ? kept.deref() : kept
    return conversation?.journal?.broken === undefined ? conversation : undefined
  }

  get durable(): boolean {
    return this.#store !== undefined
  }

  async close(): Promise<void> {
    this.closed = true
    const threads = [...this.#threads.keys()].flatMap(id => this.#known(id) ?? [])
    for (const conversation of threads)
      for (const turn of conversation.running)
        if (conversation.journal) parkTurn(turn)
        else interruptTurn(turn, 'the agent was closed')
    await Promise.all(threads.map(conversation => conversation.journal?.release().catch(() => {})))
  }

  resume(id: string, depth: number): Turn | undefined {
    const conversation = this.conversation(id, depth)
    return conversation.resumeFirst()
  }

  /** Forgets a deleted conversation: its id means a new conversation from now on. */
  forget(id: string): void {
    this.#threads.delete(id)
  }

  /** The agent as it is seen from `depth` turns inside each other. */
  handle(depth: number): AgentHandle {
    this.#handles[depth] ??= makeHandle(this, depth)
    return this.#handles[depth]
  }
}

const handleOf = (core: AgentCore, conversation: SharedConversation, depth: number): Conversation =>
  new Conversation(
    core,
    conversation,
    conversation.latest?.branch.tip ?? conversation.head ?? conversation.tree.nodes.at(-1),
    depth,
  )

function makeHandle(core: AgentCore, depth: number): AgentHandle {
  return {
    name: core.name,
    get model() {
      return core.model()
    },
    pipeline: core.pipeline,
    conversation: from => core.conversation(from, depth),
    open: id => core.open(id, depth),
    resume: id => core.resume(id, depth),
    durable: core.durable,
    close: () => core.close(),
    send: (input, options) => core.conversation(undefined, depth).send(input, options),
    use: added => core.use(added),
    hooks: point => core.hooksAt(point),
    enable: (name, conversationId) => core.switch(name, true, conversationId),
    disable: (name, conversationId) => core.switch(name, false, conversationId),
    get middleware() {
      return core.middleware
    },
    get tools() {
      return core.tools
    },
  }
}
