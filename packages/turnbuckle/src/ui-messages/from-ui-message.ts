import { TurnbuckleError } from '../core/base/errors.ts'
import type { FilePart, TextPart } from '../core/base/message.ts'

/** A message as a client sends it: its parts are looked at one by one. */
export interface SentUIMessage {
  /** The client's id of the message; of an answer, the id of its turn. */
  readonly id: string
  /** `user`, `assistant` or `system`. */
  readonly role: string
  /** The parts of the message. */
  readonly parts: readonly SentUIPart[]
}

/** A part as a client sends it. */
export interface SentUIPart {
  /** `text`, `file`, `tool-…` or any other. */
  readonly type: string
  readonly [field: string]: unknown
}

/** A person's message, for `conversation.send(message)`. */
export interface UserMessage {
  /** It is a person's. */
  readonly role: 'user'
  /** Text and files, in their order. */
  readonly content: readonly (TextPart | FilePart)[]
}

/** A person's decision on a call, for `turn.answer(requestId, answer)`. */
export interface UIApproval {
  /** The request that asked. */
  readonly requestId: string
  /** Allow, for this once, or deny. */
  readonly answer: { readonly decision: 'allow' | 'deny'; readonly scope: 'once'; readonly reason?: string }
}

/** The message that a person wrote with `useChat`: text and files. Other parts are the client's own. */
export const fromUIMessage = ({ parts }: Pick<SentUIMessage, 'parts'>): UserMessage => ({
  role: 'user',
  content: parts.flatMap((part): (TextPart | FilePart)[] => {
    if (part.type === 'text') return [{ type: 'text', text: String(part['text'] ?? '') }]
    return part.type === 'file' ? [filePart(part)] : []
  }),
})

function filePart({ mediaType, url, filename }: SentUIPart): FilePart {
  if (typeof url !== 'string' || typeof mediaType !== 'string')
    throw new TurnbuckleError('message.invalid', 'A file part has a url and a mediaType.')
  const data = url.replace(/^data:[^,]*;base64,/, '')
  return { type: 'file', mediaType, data, ...(typeof filename === 'string' ? { name: filename } : {}) }
}

/** The result of a call that a client has run itself, for `turn.answer(requestId, { status, value })`. */
export interface UIToolOutput {
  /** The call. */
  readonly callId: string
  /** `error` for a tool of the client that failed. */
  readonly status: 'ok' | 'error'
  /** The output, or the words of the error. */
  readonly value: unknown
}

/** The results of its own tools that a client sends with its last message, an answer that waits for them. */
export function toolOutputsOf(message: SentUIMessage | undefined): UIToolOutput[] {
  if (message?.role !== 'assistant') return []
  return message.parts.flatMap((part): UIToolOutput[] => {
    const { type, state, toolCallId: callId, output, errorText } = part as Readonly<Record<string, unknown>>
    const isTool = typeof type === 'string' && (type.startsWith('tool-') || type === 'dynamic-tool')
    if (!isTool || typeof callId !== 'string' || part['providerExecuted'] === true) return []
    if (state === 'output-available') return [{ callId, status: 'ok', value: output }]
    return state === 'output-error' ? [{ callId, status: 'error', value: errorText }] : []
  })
}

/** The decisions that a client sends with its last message, an answer that waits for them. */
export function approvalsOf(message: SentUIMessage | undefined): UIApproval[] {
  if (message?.role !== 'assistant') return []
  return message.parts.flatMap((part): UIApproval[] => {
    const { id, approved, reason } = (part['approval'] ?? {}) as Record<string, unknown>
    if (part['state'] !== 'approval-responded' || typeof id !== 'string') return []
    const words = typeof reason === 'string' && reason ? { reason } : {}
    return [{ requestId: id, answer: { decision: approved === true ? 'allow' : 'deny', scope: 'once', ...words } }]
  })
}
