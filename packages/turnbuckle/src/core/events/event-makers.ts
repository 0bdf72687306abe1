import type { Call, ToolResult } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { TreeNode } from '../history/tree.ts'
import type { SharedConversation } from '../types/shared-conversation.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { Event, EventBody, MessageDelta } from './events.ts'

/** A delta as an event, for whoever reads events and not text. */
export const deltaEvent = (delta: MessageDelta, turnId: string, { id, clock }: SharedConversation): Event => ({
  type: 'message.delta',
  conversationId: id,
  at: clock.now(),
  turnId,
  messageId: delta.messageId,
  text: delta.text,
  offset: delta.offset,
  ...(delta.reasoning ? { reasoning: true as const } : {}),
})

export const startedEvent = ({ branch, link: { tag } }: TurnState): EventBody => ({
  type: 'turn.started',
  parentId: branch.origin?.id,
  ...(tag === undefined ? {} : { tag }),
})

export const addedEvent = ({ message, parentId }: TreeNode): EventBody => ({
  type: 'message.added',
  messageId: message.id,
  parentId,
  role: message.role,
  message,
})

export const pendingEvent = ({ id, name, args }: Call): EventBody => ({ type: 'tool.pending', callId: id, name, args })

export const executingEvent = ({ id, name, args }: Call): EventBody => ({
  type: 'tool.executing',
  callId: id,
  name,
  args,
})

export const endedEvent = (
  { id, name }: Call,
  { status, value, durationMs = 0 }: ToolResult & { readonly durationMs?: number },
): EventBody => ({
  type: status === 'ok' ? 'tool.completed' : 'tool.failed',
  callId: id,
  name,
  status,
  result: value,
  durationMs,
})

export const usageEvent = ({ id, usage }: TreeNode, total: Usage): EventBody => ({
  type: 'usage',
  messageId: id,
  ...(usage as Usage),
  total,
})
