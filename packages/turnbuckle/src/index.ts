export type { AgentHandle, MiddlewareInfo } from './core/agent.ts'
export type { Conversation, ConversationExport, SendOptions } from './core/conversation.ts'
export type { Messages } from './core/edit.ts'
export { type ErrorKind, isHookError, TurnbuckleError } from './core/errors.ts'
export type { CustomEvent, Event, EventBody, EventType, NewEvent } from './core/events.ts'
export {
  again,
  block,
  type Decision,
  type Directive,
  type DirectiveType,
  fail,
  finish,
  goto,
  replace,
  rewind,
  type Snapshot,
  skip,
  stop,
} from './core/flow.ts'
export type {
  AfterContext,
  BeforeContext,
  Context,
  Draft,
  Generated,
  Hooks,
  NextOptions,
  OwnStages,
  ShownChunk,
  StageStatus,
} from './core/hook-types.ts'
export { type Middleware, middleware } from './core/hooks.ts'
export type { ErrorPolicy } from './core/judge.ts'
export {
  type Call,
  type FilePart,
  type Message,
  type NewMessage,
  type Part,
  type ResultPart,
  type ResultStatus,
  type Role,
  type TextPart,
  type ToolResult,
  textOf,
} from './core/message.ts'
export { debugPipeline, type Pipeline, performancePipeline, pipeline } from './core/pipeline.ts'
export type {
  Chunk,
  Clock,
  Ids,
  Model,
  Prompt,
  Returned,
  Schema,
  StreamOptions,
  ToolSpec,
  Usage,
} from './core/ports.ts'
export type { AskOptions, PermissionAnswer, Request } from './core/requests.ts'
export type { ToolContext } from './core/run-tool.ts'
export { type Stage, stage } from './core/stage.ts'
export { type Tool, type ToolDefinition, tool } from './core/tool.ts'
export type { OpenSpan, Span } from './core/trace.ts'
export type { Node } from './core/tree.ts'
export type { Turn, TurnResult, TurnStatus } from './core/turn.ts'
export { type Agent, type CreateAgentOptions, createAgent } from './create-agent.ts'
export { type OfflineOptions, offline } from './models/offline.ts'
export { offlineTools } from './models/offline-tools.ts'
export { type AgentToolOptions, agentTool, type Budget } from './tools/agent-tool.ts'
