export type { ProviderTool } from './core/base/ports.ts'
export { type AiSdkOptions, aiSdk } from './models/ai-sdk.ts'
export type { CallParams } from './models/call-params.ts'
export type { Price } from './models/prices.ts'
export type { ProviderError } from './models/provider-error.ts'
export type { ProviderModel } from './models/provider-spec.ts'
export { type AiSdkTool, aiSdkTools } from './tools/ai-sdk-tools.ts'
export {
  approvalsOf,
  fromUIMessage,
  type SentUIMessage,
  type SentUIPart,
  toolOutputsOf,
  type UIApproval,
  type UIToolOutput,
  type UserMessage,
} from './ui-messages/from-ui-message.ts'
export {
  toUIMessageStream,
  toUIMessageStreamResponse,
  type UIMessageStreamOptions,
  type UIMessageStreamResponseOptions,
  uiMessageLine,
  uiMessageStreamEnd,
  uiMessageStreamHeaders,
} from './ui-messages/to-ui-message-stream-response.ts'
export {
  type ShownConversation,
  type ShownNode,
  toUIMessages,
  type UIMessage,
  type UIMessagePart,
  type UIToolPart,
} from './ui-messages/to-ui-messages.ts'
export type {
  DataChunk,
  ToolChunk,
  UIFinishReason,
  UIMessageChunk,
  UIMessageMetadata,
  UserPart,
} from './ui-messages/ui-message-chunk.ts'
export { UIMessageTranslator, type UIMessageTranslatorOptions } from './ui-messages/ui-message-translator.ts'
