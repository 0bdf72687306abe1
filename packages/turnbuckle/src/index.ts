export type { ErrorPolicy } from './core/base/errors.ts'
export { type ErrorKind, isHookError, TurnbuckleError } from './core/base/errors.ts'
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
} from './core/base/message.ts'
export type {
  Chunk,
  Clock,
  Ids,
  Model,
  Prompt,
  ResponseFacts,
  Returned,
  Schema,
  StreamOptions,
  ToolSpec,
  Usage,
} from './core/base/ports.ts'
export {
  again,
  block,
  type Decision,
  type Directive,
  type DirectiveType,
  fail,
  finish,
  replace,
  rewind,
  type Snapshot,
  skip,
  stop,
} from './core/directives/directives.ts'
export { goto } from './core/directives/goto.ts'
export { mayAnswer } from './core/events/check-answer.ts'
export type {
  CustomEvent,
  DeclaredEvent,
  EmittedEvent,
  Event,
  EventBody,
  EventFields,
  EventType,
  OwnEvents,
  TextDelta,
  TurnStatus,
} from './core/events/events.ts'
export type { ReadyMadeEvents } from './core/events/ready-made-events.ts'
export type { AnswerOptions, AnswerTerms, AskOptions, PermissionAnswer, Request } from './core/events/request.ts'
export type { Node } from './core/history/tree.ts'
export type { Draft } from './core/hooks/draft.ts'
export type {
  AfterContext,
  AfterDirectives,
  BeforeContext,
  BeforeDirectives,
  ChunkContext,
  Context,
  DeepReadonly,
  Generated,
  GuardContext,
  Hooks,
  Instructions,
  NextOptions,
  OwnStages,
  ShownChunk,
  WrapContext,
  WrapDirectives,
} from './core/hooks/hook-types.ts'
export { type Middleware, middleware, type Use } from './core/hooks/middleware.ts'
export type { ModelExchange, OpenSpan, Span, StageStatus } from './core/hooks/span.ts'
export { debugPipeline, performancePipeline, pipeline } from './core/stages/pipeline.ts'
export { type StageDefinition, stage } from './core/stages/stage.ts'
export type { SchemaCheck } from './core/tools/check-by-schema.ts'
export { type ToolDefinition, tool } from './core/tools/tool.ts'
export type { AgentHandle, HookInfo, MiddlewareInfo } from './core/types/agent-core.ts'
export type { Conversation, ConversationExport, SendOptions } from './core/types/conversation.ts'
export type { Messages } from './core/types/messages.ts'
export type { Pipeline } from './core/types/pipeline.ts'
export type { Stage } from './core/types/stage.ts'
export type { Tool } from './core/types/tool.ts'
export type { Client, ToolContext } from './core/types/tool-context.ts'
export type { Turn, TurnCall, TurnResult } from './core/types/turn.ts'
export { type Agent, type CreateAgentOptions, createAgent } from './create-agent.ts'
export { type OfflineOptions, offline } from './models/offline.ts'
export { type OfflineToolsOptions, offlineTools } from './models/offline-tools.ts'
export { agentTool } from './tools/agent-tool.ts'
export type { AgentToolOptions, Budget } from './tools/agent-tool-options.ts'
