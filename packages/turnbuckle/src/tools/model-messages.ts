import type { Message, Part } from '../core/base/message.ts'

/** A message as the AI SDK writes it, for its tools. */
export interface ModelMessage {
  readonly role: Message['role']
  readonly content: string | readonly object[]
}

/** The messages before the reply that made a call. */
export function modelMessages(messages: readonly Message[], callId: string): ModelMessage[] {
  const isCaller = ({ content }: Message) => content.some(part => part.type === 'call' && part.id === callId)
  const end = messages.findIndex(isCaller)
  return messages
    .slice(0, end < 0 ? undefined : end)
    .map(({ role, content }) =>
      role === 'system'
        ? { role, content: content.map(part => (part.type === 'text' ? part.text : '')).join('') }
        : { role, content: content.flatMap(contentPart) },
    )
}

function contentPart(part: Part): object[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: part.text }]
    case 'file':
      return [{ type: 'file', mediaType: part.mediaType, data: part.data }]
    case 'call':
      return [{ type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.args }]
    case 'result': {
      const { value, status } = part
      const type = `${status === 'ok' ? '' : 'error-'}${typeof value === 'string' ? 'text' : 'json'}`
      return [{ type: 'tool-result', toolCallId: part.id, toolName: part.name, output: { type, value } }]
    }
    default:
      return []
  }
}
