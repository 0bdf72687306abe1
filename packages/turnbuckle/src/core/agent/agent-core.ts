import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { noteOnce } from '../base/developer-note.ts'
import type { ErrorPolicy } from '../base/errors.ts'
import { none } from '../base/lists.ts'
import { type Clock, type Ids, type Model, randomIds, systemClock } from '../base/ports.ts'
import { HookContext } from '../context/hook-context.ts'
import type { Store } from '../durable/log-port.ts'
import { whenWriter } from '../events/news.ts'
import { hookNames } from '../hooks/hook-name.ts'
import { afterOnly, type HookChain, type HookEntry, type HookSet } from '../hooks/hook-set.ts'
import { flatUse, type Middleware } from '../hooks/middleware.ts'
import { builtInStages } from '../stages/built-in-stages.ts'
import { interruptTurn } from '../turn/interrupt-turn.ts'
import { parkTurn } from '../turn/park-turn.ts'
import type {
  AgentCore as AgentCoreType,
  AgentHandle,
  ConversationSource,
  HookInfo,
  MiddlewareInfo,
  OfferedTools,
} from '../types/agent-core.ts'
import type { ConversationCore } from '../types/conversation-core.ts'
import type { Use } from '../types/middleware.ts'
import type { OwnChanges } from '../types/own-changes.ts'
import type { Pipeline } from '../types/pipeline.ts'
import type { Stage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { Tool } from '../types/tool.ts'
import type { Turn } from '../types/turn.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { AgentOptions } from './agent-options.ts'
import { AgentTools } from './agent-tools.ts'
import { Conversation } from './conversation.ts'
import { HeldConversations } from './held-conversations.ts'
import { HooksInForce } from './hooks-in-force.ts'
import { makeAgentHandle } from './make-agent-handle.ts'
import { needsApproval } from './needs-approval.ts'
import { RegisteredMiddleware } from './registered-middleware.ts'
import { seedHistory } from './seed-history.ts'

/** The agent behind its handles: tools, middleware and options, shared by all conversations. Holds no turn's state. */
export class AgentCore implements AgentCoreType {
  readonly name: string
  readonly pipeline: Pipeline
  readonly pipelines: Readonly<Record<string, Pipeline>>
  readonly #instructions: string | (() => string)
  readonly maxSteps: number
  readonly parallelTools: number
  readonly maxDepth: number
  readonly cleanupMs: number
  readonly errors: ErrorPolicy
  readonly clock: Clock
  readonly ids: Ids
  readonly #model: Model
  readonly #tools: AgentTools
  readonly #registered: RegisteredMiddleware
  readonly #hooks = new HooksInForce()
  readonly #held: HeldConversations
  readonly #handles: AgentHandle[] = []
  #closed = false

  constructor(options: AgentOptions) {
    this.name = options.name ?? 'agent'
    this.pipeline = options.pipeline
    this.pipelines = options.pipelines ?? {}
    this.#instructions = options.instructions ?? ''
    this.maxSteps = options.maxSteps ?? 50
    this.parallelTools = options.parallelTools ?? Infinity
    this.maxDepth = options.maxDepth ?? 8
    this.cleanupMs = options.cleanupMs ?? 5000
    this.errors = options.errors ?? {}
    this.clock = options.clock ?? systemClock
    this.ids = options.ids ?? randomIds
    this.#model = options.model
    this.#tools = new AgentTools(options.tools ?? none, options.schemaCheck)
    this.#registered = new RegisteredMiddleware(hookNamesOf([this.pipeline, ...Object.values(this.pipelines)]))
    this.#held = new HeldConversations({ clock: this.clock, ids: this.ids, store: options.store })
    this.#registered.add(flatUse(options.use ?? none))
    this.#compile()
    for (const each of [this.pipeline, ...Object.values(this.pipelines)]) this.noteLeftOut(each)
  }
  /** A pipeline without hooks says whose it leaves out. The breaker that every agent has is not worth a note. */
  noteLeftOut({ hooks }: Pipeline): void {
    if (hooks) return
    const names = this.middleware
      .filter(({ guard, name }) => !guard && name !== 'circuit-breaker')
      .map(({ name }) => name)
    if (names.length)
      noteOnce(
        this,
        'hooks',
        () => `A pipeline of "${this.name}" has no hooks but those of guards: ${names.join(', ')} left out.`,
      )
  }

  get instructions(): string {
    return typeof this.#instructions === 'function' ? this.#instructions() : this.#instructions
  }
  model(): Model {
    return this.#model
  }
  toolsOf({ use }: TurnState): OfferedTools {
    return this.#tools.withThose(use)
  }
  get tools(): readonly Tool[] {
    return this.#tools.list
  }

  get hooks(): HookSet {
    return this.#hooks.forAll
  }
  hooksFor(turn: TurnState): HookSet {
    return this.#hooks.of(turn)
  }
  hookChain(stage: Stage, turn: TurnState): HookChain {
    const chain = this.hooksFor(turn).chain(stage.name)
    const observed = turn.calls.observed && (stage.takes === 'call' || stage.takes === 'calls')
    return observed ? afterOnly(chain) : chain
  }
  contextFor(
    frame: StageFrame,
    entry?: HookEntry,
    given?: unknown,
    cancel?: AttemptCancel,
    changes?: OwnChanges,
  ): HookContext {
    return new HookContext(frame, entry, given, cancel, changes)
  }

  get middleware(): readonly MiddlewareInfo[] {
    return this.#registered.list
  }
  hooksAt(point: string | undefined): readonly HookInfo[] {
    return this.#registered.hooksAt(point, this.#implied)
  }
  check(use: readonly Middleware[]): void {
    this.#registered.checkForTurn(use)
  }
  use(added: Use): () => void {
    const remove = this.#registered.add(flatUse(added))
    this.#compileOr(remove)
    return () => {
      remove()
      this.#compile()
    }
  }
  switch(name: string, enabled: boolean, conversationId?: string): void {
    if (conversationId === undefined) this.#switchForAll(name, enabled)
    else this.#switchIn(conversationId, name, enabled)
  }
  #switchForAll(name: string, enabled: boolean): void {
    const undo = this.#registered.switchForAll(name, enabled)
    if (!undo) return
    this.#compileOr(undo)
    for (const conversation of this.#held.list)
      conversation.tell({ type: 'middleware.changed', name, enabled }, undefined, whenWriter)
  }
  #switchIn(conversationId: string, name: string, enabled: boolean): void {
    const isChanged = this.#registered.switchIn(conversationId, name, enabled)
    this.#compile()
    if (!isChanged) return
    const event = { type: 'middleware.changed', name, enabled, only: true } as const
    this.#held.find(conversationId)?.tell(event, undefined, whenWriter)
  }

  /** Puts the tool list and the hook chains together. They change only here, so that a step works nothing out. */
  #compile(): void {
    this.#tools.bring(this.#registered.brought)
    this.#hooks.compile(this.#registered, this.#implied)
  }
  /** Compiles after a change of the middleware; where that throws (two tools of one name), undoes the change. */
  #compileOr(undo: () => void): void {
    try {
      this.#compile()
    } catch (error) {
      undo()
      throw error
    }
  }
  /** Guards that the agent's tools bring. They cannot be switched off. */
  get #implied(): readonly Middleware[] {
    return this.tools.some(tool => tool.needsApproval) ? [needsApproval] : none
  }

  conversation(from: string | ConversationSource | undefined, depth: number): Conversation {
    const source = typeof from === 'string' ? { id: from } : (from ?? {})
    const conversation = this.#held.findOrMake(source)
    if (source.messages) seedHistory(conversation, source.messages, this.ids)
    return this.#handleOn(conversation, depth)
  }
  async open(id: string, depth: number): Promise<Conversation> {
    return this.#handleOn(await this.#held.open(id), depth)
  }
  resume(id: string, depth: number, turnId?: string): Turn | undefined {
    const conversation = this.conversation(id, depth)
    return turnId === undefined ? conversation.resumeFirst() : conversation.resumeTurn(turnId)
  }
  #handleOn(conversation: ConversationCore, depth: number): Conversation {
    const { latest, head, tree } = conversation
    return new Conversation(this, conversation, latest?.branch.tip ?? head ?? tree.nodes.at(-1), depth)
  }
  remember(conversation: ConversationCore): void {
    this.#held.remember(conversation)
  }
  forget(id: string): void {
    this.#held.forget(id)
  }

  get durable(): boolean {
    return this.store !== undefined
  }
  get store(): Store | undefined {
    return this.#held.store
  }
  get closed(): boolean {
    return this.#closed
  }
  async close(): Promise<void> {
    this.#closed = true
    const conversations = this.#held.list
    for (const conversation of conversations)
      for (const turn of conversation.running)
        if (conversation.journal) parkTurn(turn)
        else interruptTurn(turn, 'the agent was closed')
    await Promise.all(conversations.map(conversation => conversation.journal?.release().catch(() => {})))
  }

  handle(depth: number): AgentHandle {
    this.#handles[depth] ??= makeAgentHandle(this, depth)
    return this.#handles[depth]
  }
}

/** The names of all hooks there can be. A hook of a built-in stage that a pipeline leaves out is no mistake. */
function hookNamesOf(pipelines: readonly Pipeline[]): readonly string[] {
  const own = pipelines.flatMap(({ names }) => names).filter(name => !builtInStages.has(name))
  return own.length ? hookNames([...new Set([...builtInStages.keys(), ...own])]) : builtInHookNames
}
const builtInHookNames = hookNames([...builtInStages.keys()])
