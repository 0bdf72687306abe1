import type { Call, Message, Part, ToolResult } from '../base/message.ts'
import type { Chunk, Model, Prompt, StreamOptions } from '../base/ports.ts'
import type { NotedDirective } from '../directives/directives.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Event } from '../events/events.ts'
import type { TurnListener } from '../events/listener.ts'
import type { News } from '../events/news.ts'
import type { AskOptions } from '../events/request.ts'
import type { BranchState, TreeNode } from '../history/tree.ts'
import type { HookSet } from '../hooks/hook-set.ts'
import type { HookData } from '../state/hook-data.ts'
import type { StepState } from '../state/step-state.ts'
import type { TurnBranch } from '../state/turn-branch.ts'
import type { TurnCalls } from '../state/turn-calls.ts'
import type { TurnEnding } from '../state/turn-ending.ts'
import type { Interjection, TurnPeople } from '../state/turn-people.ts'
import type { TurnPhase } from '../state/turn-phase.ts'
import type { TurnSpending } from '../state/turn-spending.ts'
import type { TurnSteering } from '../state/turn-steering.ts'
import type { TurnTime } from '../state/turn-time.ts'
import type { AgentCore } from './agent-core.ts'
import type { Conversation } from './conversation.ts'
import type { ConversationCore } from './conversation-core.ts'
import type { Journal } from './journal.ts'
import type { Middleware } from './middleware.ts'
import type { Pipeline } from './pipeline.ts'
import type { Stage } from './stage.ts'
import type { StageFrame } from './stage-frame.ts'
import type { Client } from './tool-context.ts'
import type { Turn, TurnResult } from './turn.ts'
import type { TurnReplay } from './turn-replay.ts'
import type { StateRecord } from './unfinished-turn.ts'

/** A turn's place among other turns, and what its caller gave it. */
export interface TurnLink {
  readonly depth: number
  /** The greatest depth of turns below: the strictest limit of all agents above. */
  readonly deepest: number
  /** The turn whose call this one works for, where it is a sub-agent's. */
  readonly parent?: TurnState | undefined
  /** Middleware of this turn alone. */
  readonly use?: readonly Middleware[] | undefined
  /** The caller's name for the turn, in `turn.started`. */
  readonly tag?: unknown
  /** Who asked, where the caller knows. */
  readonly client?: Client | undefined
  /** The turn goes on from its origin: it has no message of its own, and its `input` stage is not opened. */
  readonly goesOn?: true | undefined
  /** The caller chose the turn's id, and may have sent it before. */
  readonly isNamed?: true | undefined
  /** Set on a turn that stands for one which another process works on: the caller of a sub-agent that is worked on here, or one above that. */
  readonly caller?: CallerElsewhere | undefined
}

/** The turn of another process whose guards and states a sub-agent's turn has here. */
export interface CallerElsewhere {
  /** True where the topmost turn's log ends with a question. */
  readonly waited: boolean
  /**
   * Calls a before hook of a guard whose state is the caller's, on its newest state, and gives what it returned once the caller has the
   * changes. A hook whose state was changed elsewhere meanwhile is called again.
   */
  decide(owner: Middleware, hook: () => unknown): Promise<unknown>
  /** A state of the caller's was changed here. */
  changed(owner: Middleware, change: (state: never) => unknown, before: unknown): void
}

/** The conversation's handle that the turn was sent through. */
export interface ConversationHandle extends Conversation {
  /** Another handle on the same tree. `above`: the turn that what is sent there works for. */
  at(head: TreeNode | undefined, depth: number, above?: TurnState): Conversation
}

/**
 * A turn being worked on: a phase, and parts with methods of their own. Stages speak through it, and nobody writes to a part but
 * the part itself.
 */
export interface TurnState {
  readonly id: string
  readonly agent: AgentCore
  readonly conversation: ConversationCore
  readonly conversationHandle: ConversationHandle
  readonly link: TurnLink
  readonly use: readonly Middleware[]
  readonly ids: TurnIds
  readonly time: TurnTime
  readonly branch: TurnBranch
  readonly step: StepState
  readonly calls: TurnCalls
  readonly steering: TurnSteering
  readonly people: TurnPeople
  readonly spent: TurnSpending
  readonly hookData: HookData
  readonly replay: TurnReplay
  readonly stateLog: StateLog
  readonly events: EventLog
  readonly streamOptions: StreamOptions
  readonly settled: Promise<TurnResult>
  readonly phase: TurnPhase
  /** The terminal event was told, or the turn was left to another process: nothing is recorded any more. */
  readonly over: boolean
  readonly halting: boolean
  readonly interrupted: boolean
  /** The first hard directive that was given since stages could open. */
  readonly haltedBy: NotedDirective | undefined
  /** A hard directive was given. */
  halt(by: NotedDirective): void
  /** The directives of the step have been read: the turn may open stages again. */
  liftHalt(): void
  /** Sets how the turn ends. */
  settle(ending: TurnEnding): void
  /** A wrap runs the whole turn once more. */
  restart(): void
  /** Closes the turn: no message is recorded and no interjection accepted any more. */
  close(result: TurnResult): void
  /** Resolves for who waits for the turn. */
  resolve(result: TurnResult): void
  /** The log cannot be written to: the turn fails here, and another process may go on with it. */
  abandon(error: unknown): void
  park(): void
  readonly result: TurnResult | undefined
  /** Does something when the log is open: now, where it is. */
  whenBegun(act: () => void): void
  /** The log is open. */
  begin(): void
  readonly depth: number
  readonly deepest: number
  readonly parent: TurnState | undefined
  /** The turn that a person sees: itself, or the one its agent works for. */
  readonly topmost: TurnState
  /** Turns of sub-agents that work for this one. */
  readonly children: Iterable<TurnState>
  adopt(child: TurnState): void
  disown(child: TurnState): void
  readonly journal: Journal | undefined
  /** The hooks in force now: the agent's, and the guards of whoever called this sub-agent. */
  readonly hooks: HookSet
  readonly traced: boolean
  readonly pipeline: Pipeline
  switchPipeline(pipeline: Pipeline): void
  /** The user's message. */
  readonly message: Message
  setMessage(message: Message): void
  /** The handle that the caller of `send` holds. */
  readonly handle: Turn
  setHandle(handle: Turn): void
  /** The frame of the turn's own stage. Events that come before it is open are told in a frame of their own. */
  readonly root: StageFrame
  openRoot(): StageFrame
  readonly managed: RunningLoop | undefined
  manage(loop: RunningLoop): void
  /** Reads the clock where hooks, or a log, can have taken time since the last reading. */
  elapse(): number
  /** Aborts the signal, and a model's own loop with it. */
  abort(reason: unknown): void
  readonly listeners: readonly TurnListener[]
  listen(listener: TurnListener): void
  unlisten(listener: TurnListener): void
  /** Events belong to the turn until its terminal event; then they are the conversation's. */
  readonly open: TurnState | undefined
  /** Tells an event of the turn. */
  tell(news: News): void
  tellHooks(event: Event): void
  nextSpan(): number
  /** Opens a stage inside another, and gives its frame: how it came out. */
  openInside(stage: Stage, parent: StageFrame, input: unknown): Promise<StageFrame>
  /** Records a message through the `append` stage and its hooks. */
  append(parent: StageFrame, message: Message): Promise<StageFrame>
  beginStep(): void
  /** A call has its final result. One that had a result already is replaced without telling its end again. */
  finish(call: Call, result: ToolResult, durationMs: number): void
  /** The id of the message that made the calls which run, or are open. */
  readonly callsMessageId: string
  /** A person has changed the call: whoever reads its result is told. */
  noteEditedCall({ id, args }: Call): void
  editedArgs({ id }: Call): unknown
  /** `by`: the tool or middleware that says it, where it is no person. */
  interject(text: string, by?: string): void
  /** Takes back the last interjection of a person that is not recorded yet. */
  takeBack(): string | undefined
  /** True where hooks see an interjection before it is recorded. */
  isLookedAt(said: Interjection): boolean
  /** Asks a person. A sub-agent's question surfaces at the topmost turn. */
  ask(frame: StageFrame, by: string, kind: string, payload: unknown, options: AskOptions): Promise<unknown>
  /** True once none of the turn's hooks runs any more: their contexts are of no use. */
  readonly released: boolean
  /** Lets go of the turn's waits, clock and log: no code of this turn runs any more. */
  release(): void
}

/** Ids of what a turn makes: the same whenever the turn is gone through again. */
export interface TurnIds {
  of(end: string): string
  /** The turn has gone back: what was named before may be named again, on another branch. */
  repeat(): void
  message(): string
  result(call: Call): string
  /** A provider that uses an id twice would have two results for one call. `among`: what the same reply has so far. */
  call(wanted: string | undefined, among: readonly Part[]): string
  /** A question to the person who sees the topmost turn: its name begins with that. */
  request({ call }: StageFrame, by: string): string
  /** True once for the id that was made last: no message can have it yet. */
  isNew(id: string): boolean
}

/** States for the log, kept together with the checkpoint of the hooks that changed them. */
export interface StateLog {
  changed(record: StateRecord): void
  /** An edit leaves the path behind, not what was learned on it: the new tip has the same states. */
  keepBranch(before: BranchState | undefined): void
  /** The turn's last message has the states as they are now, also where hooks have gone back to others. */
  keepHere(): void
  flush(): void
  /** In the log a message has the states of the one before it; what is otherwise is told. */
  place(node: TreeNode, before: BranchState | undefined): void
}

/** A model's own loop that is under way. */
export interface RunningLoop {
  /** The model that waits for the results of its calls. */
  readonly waiting: Model | undefined
  serves(model: Model): boolean
  /** The next part of its stream: up to where tools are wanted, or were run. */
  part(prompt: Prompt): AsyncIterable<Chunk>
  /** Ends the loop before the turn is over. */
  giveUp(reason: unknown): void
  /** Ends the loop with the turn. */
  close(): void
}
