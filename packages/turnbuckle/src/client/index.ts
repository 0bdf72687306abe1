export { keptFileId } from '../core/base/kept-file.ts'
export type { Call, FilePart, Message, Part, ResultPart, ResultStatus } from '../core/base/message.ts'
export type { Usage } from '../core/base/ports.ts'
export type { Event } from '../core/events/events.ts'
export { applyEvent } from './apply-event.ts'
export { type Calls, ClientError } from './calls.ts'
export type { ConnectionStatus, SocketConstructor, SocketLike } from './connection.ts'
export {
  type ConversationState,
  callKey,
  conversationState,
  type LiveCall,
  type LiveMessage,
  type Queued,
  type SubAgentState,
  type WrittenCall,
} from './conversation-state.ts'
export { ConversationView } from './conversation-view.ts'
export { type Client, type ClientOptions, createClient, type ListChange } from './create-client.ts'
export { exportText } from './export-text.ts'
export type { FollowOptions } from './followers.ts'
export type { ClosedRequest, LogFacts, TurnTag } from './log-facts.ts'
export type {
  ConversationChange,
  ConversationSettings,
  McpSetting,
  MiddlewareSetting,
  ModelParams,
  ParamsChange,
  ProviderTrial,
  ProviderTrialResult,
  RuleLists,
  SettingSource,
  SettingsChange,
  ToolPermission,
  WireMcpServer,
  WireMcpSetting,
  WireMiddlewareEntry,
  WireProvider,
  WireRules,
  WireSetting,
  WireSettings,
  WireTool,
  WireTrustItem,
  WireVariable,
} from './settings.ts'
export { type SharedReader, sharedReader } from './shared-reader.ts'
export type {
  AskedRequest,
  Attachment,
  AuditEntry,
  CallAgent,
  CallAnswer,
  ConversationCaller,
  ConversationSummary,
  HookFigures,
  InlineFile,
  NewSchedule,
  NewTurn,
  PersonRole,
  SaidTurn,
  SearchHit,
  SharedAccess,
  SharedAgent,
  SharedConversation,
  StoredPermission,
  UploadedFile,
  WireCall,
  WireChange,
  WireConversation,
  WireDecision,
  WireEvent,
  WireExchange,
  WireHidden,
  WireMiddleware,
  WireModel,
  WireNode,
  WireOpenSpan,
  WirePerson,
  WireRequest,
  WireSchedule,
  WireShareLink,
  WireSpan,
  WireTrace,
  WireTurn,
  WireTurnStatus,
} from './wire.ts'
export { wireEvent } from './wire-event.ts'
