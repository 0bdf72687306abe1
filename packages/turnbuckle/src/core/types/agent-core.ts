import type { AttemptCancel } from '../async/attempt-cancel.ts'
import type { ErrorPolicy } from '../base/errors.ts'
import type { NewMessage } from '../base/message.ts'
import type { Clock, Ids, Model, ToolSpec } from '../base/ports.ts'
import type { Store } from '../durable/log-port.ts'
import type { HookChain, HookEntry, HookSet } from '../hooks/hook-set.ts'
import type { Conversation, SendOptions } from './conversation.ts'
import type { ConversationCore } from './conversation-core.ts'
import type { Middleware, Use } from './middleware.ts'
import type { OwnChanges } from './own-changes.ts'
import type { Pipeline } from './pipeline.ts'
import type { Stage } from './stage.ts'
import type { StageFrame } from './stage-frame.ts'
import type { Tool } from './tool.ts'
import type { Turn } from './turn.ts'
import type { TurnState } from './turn-state.ts'

/** A middleware of an agent, as `agent.middleware` lists it. */
export interface MiddlewareInfo {
  /** The name it is switched by. */
  readonly name: string
  /** What it does, where it says so. */
  readonly description?: string
  /** False while it is switched off. */
  readonly enabled: boolean
  /** Lower runs first. */
  readonly priority: number
  /** True for one that protects. */
  readonly guard: boolean
  /** Set on one with rules that hold while it is switched off (`whenOff`): the deny rules of `approval`. */
  readonly holdsWhenOff?: true
  /** By conversation id, where it was switched for that conversation alone. */
  readonly inConversations?: Readonly<Record<string, boolean>>
}

/** A hook of an agent, as `agent.hooks(point)` lists it. */
export interface HookInfo {
  /** The hook point: `beforeTool`. */
  readonly point: string
  /** The name of the middleware that it is a hook of. */
  readonly middleware: string
  /** The middleware's: lower runs first. */
  readonly priority: number
  /** True for the hook of a guard. */
  readonly guard: boolean
  /** False while its middleware is switched off. */
  readonly enabled: boolean
}

/** The agent as `createAgent` returns it, and as hooks see it in `ctx.agent`. */
export interface AgentHandle {
  /** The agent's name, `agent` by default. */
  readonly name: string
  /** The model it was made with. */
  readonly model: Model
  /** A new conversation, one this agent knows, or one that starts from a given history. */
  conversation(from?: string | ConversationSource): Conversation
  /** A conversation of the store, read and ready; needed before `conversation(id)` where the store answers later. */
  open(id: string): Promise<Conversation>
  /** Goes on with a turn of a conversation that a process has left unfinished: the one of that id, or the first. */
  resume(conversationId: string, turnId?: string): Turn | undefined
  /** True where a store keeps the agent's conversations. */
  readonly durable: boolean
  /** Stops working. A turn on a log is parked: a later process resumes it. Any other is interrupted. */
  close(): Promise<void>
  /** A turn in a new conversation, with the options of `conversation.send`. */
  send(input: string | NewMessage, options?: SendOptions): Turn
  /** Registers middleware, one or a list, from the next stage on. Returns its remover. */
  use(added: Use): () => void
  /** Its middleware in the order of registration, that which is switched off included. */
  readonly middleware: readonly MiddlewareInfo[]
  /** The hooks at a point (`beforeTool`) in the order they run, those that are switched off included; without a point all of them, point by point. */
  hooks(point?: string): readonly HookInfo[]
  /** Switches a middleware on from the next stage on: for everyone, or, which counts more, for one conversation. */
  enable(name: string, conversationId?: string): void
  /** Switches a middleware off, as `enable` does on. Its `whenOff` hooks hold from then on. */
  disable(name: string, conversationId?: string): void
  /** Its tools, and those that its middleware provides. */
  readonly tools: readonly Tool[]
  /** The order of its stages. */
  readonly pipeline: Pipeline
}

/** A conversation to begin with. */
export interface ConversationSource {
  /** A conversation that this agent knows, or the id of a new one. */
  readonly id?: string
  /** The history to start from. */
  readonly messages?: readonly NewMessage[]
  /** Whose it is, where several people share a store. */
  readonly owner?: string
}

/** Tools by their names, and as the model is told of them. */
export interface OfferedTools {
  /** The same array until the tools change. */
  readonly specs: readonly ToolSpec[]
  find(name: string): Tool | undefined
}

/** The agent behind its handles: tools, middleware and options, shared by all conversations. Holds no turn's state. */
export interface AgentCore {
  readonly name: string
  readonly pipeline: Pipeline
  /** Pipelines that hooks hand over to, by the names that the log keeps. */
  readonly pipelines: Readonly<Record<string, Pipeline>>
  readonly instructions: string
  readonly maxSteps: number
  readonly parallelTools: number
  readonly maxDepth: number
  readonly cleanupMs: number
  readonly errors: ErrorPolicy
  readonly clock: Clock
  readonly ids: Ids
  /** The hooks that hold for everyone. */
  readonly hooks: HookSet
  readonly closed: boolean
  /** Says once on stderr whose hooks a pipeline leaves out. */
  noteLeftOut(pipeline: Pipeline): void
  model(): Model
  /** The tools of a turn: the agent's, and those that the turn's own middleware brings. */
  toolsOf(turn: TurnState): OfferedTools
  readonly tools: readonly Tool[]
  /** The hooks of a stage, for a turn that opens it now. A call that a provider ran itself has only its after hooks left. */
  hookChain(stage: Stage, turn: TurnState): HookChain
  /** The agent's hooks, those of this turn alone, and the guards of whoever called this sub-agent. A pipeline without hooks keeps the guards. */
  hooksFor(turn: TurnState): HookSet
  /** The context that a hook of a stage is called with. For a wrap: its own input, and what cancels its attempt. */
  contextFor(
    frame: StageFrame,
    entry?: HookEntry,
    given?: unknown,
    cancel?: AttemptCancel,
    changes?: OwnChanges,
  ): object
  use(added: Use): () => void
  readonly middleware: readonly MiddlewareInfo[]
  hooksAt(point: string | undefined): readonly HookInfo[]
  switch(name: string, enabled: boolean, conversationId?: string): void
  /** Middleware of one turn alone has to fit as well. */
  check(use: readonly Middleware[]): void
  conversation(from: string | ConversationSource | undefined, depth: number): Conversation
  open(id: string, depth: number): Promise<Conversation>
  /** Finds a conversation by its id while somebody holds it. Without a store only from when its id is first read. */
  remember(conversation: ConversationCore): void
  readonly durable: boolean
  /** The store that keeps the agent's conversations. */
  readonly store: Store | undefined
  close(): Promise<void>
  resume(id: string, depth: number, turnId?: string): Turn | undefined
  /** A conversation was deleted: its id means a new one from now on. */
  forget(id: string): void
  /** The agent as it is seen from `depth` turns inside each other. */
  handle(depth: number): AgentHandle
}
