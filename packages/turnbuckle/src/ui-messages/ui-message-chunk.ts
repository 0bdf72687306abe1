import type { Usage } from '../core/base/ports.ts'
import type { TurnStatus } from '../core/events/events.ts'
import type { AttachedPart } from './attached-part.ts'

/** A chunk of the AI SDK's UI message stream, as `DefaultChatTransport` of `ai` 7 reads it. */
export type UIMessageChunk =
  | { readonly type: 'start'; readonly messageId: string }
  | { readonly type: 'start-step' | 'finish-step' | 'reset-step' }
  | { readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; readonly id: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | AttachedPart
  | { readonly type: 'steering-message'; readonly id: string; readonly parts: UserPart[] }
  | ToolChunk
  | DataChunk
  | { readonly type: 'finish'; readonly finishReason: UIFinishReason; readonly messageMetadata?: UIMessageMetadata }
  | { readonly type: 'abort'; readonly reason: string }
  | { readonly type: 'error'; readonly errorText: string }

/** A chunk about one call. */
export type ToolChunk =
  | { readonly type: 'tool-input-start'; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | {
      readonly type: 'tool-input-available'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: unknown
      readonly providerExecuted?: boolean
    }
  | { readonly type: 'tool-approval-request'; readonly toolCallId: string; readonly approvalId: string }
  | {
      readonly type: 'tool-approval-response'
      readonly approvalId: string
      readonly approved: boolean
      readonly reason?: string
    }
  | {
      readonly type: 'tool-output-available'
      readonly toolCallId: string
      readonly output: unknown
      readonly providerExecuted?: boolean
    }
  | { readonly type: 'tool-output-error'; readonly toolCallId: string; readonly errorText: string }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }

/** An event of a hook's or a tool's own, a question that is no approval, or the progress of a call. */
export interface DataChunk {
  /** `data-` and the type of the event. */
  readonly type: `data-${string}`
  /** A later part of the same type and id takes the place of this one. */
  readonly id?: string
  /** The fields of the event. */
  readonly data: unknown
  /** News of the moment: the message does not keep it. */
  readonly transient?: boolean
}

/** A part of a message that a person wrote. */
export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly url: string; readonly filename?: string }

/** The finish reasons that the AI SDK knows. */
export type UIFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

/** The metadata that a message has once its turn has ended. */
export interface UIMessageMetadata {
  /** How the turn ended. */
  readonly outcome: TurnStatus
  /** Why it ended. */
  readonly reason: string
  /** Tokens and cost of the turn. */
  readonly usage: Usage
}

const finishReasons: Readonly<Record<string, UIFinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content-filter',
  refusal: 'content-filter',
  'tool-calls': 'tool-calls',
  error: 'error',
}

/** The AI SDK's word for the finish reason of a turn; a turn whose model gave none has stopped. */
export const uiFinishReason = (reason: string | undefined): UIFinishReason =>
  reason === undefined ? 'stop' : (finishReasons[reason] ?? 'other')
