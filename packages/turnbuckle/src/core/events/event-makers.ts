import type { Call, ToolResult } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { TreeNode } from '../history/tree.ts'
import type { ConversationCore } from '../types/conversation-core.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { CallUsage, Event, EventBody, MessageDelta } from './events.ts'

/** A delta as an event, for whoever reads events and not text. */
export const deltaEvent = (delta: MessageDelta, turnId: string, { id, clock }: ConversationCore): Event => ({
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

export const pendingEvent = ({ id, name, args }: Call, messageId: string): EventBody => ({
  type: 'tool.pending',
  callId: id,
  messageId,
  name,
  args,
})

export const executingEvent = ({ id, name, args }: Call, messageId: string): EventBody => ({
  type: 'tool.executing',
  callId: id,
  messageId,
  name,
  args,
})

/** The end of a call, for its event. */
export interface CallEnd {
  readonly result: ToolResult
  readonly messageId: string
  readonly durationMs: number
}

export const endedEvent = (
  { id, name }: Call,
  { result: { status, value }, messageId, durationMs }: CallEnd,
): EventBody => ({
  type: status === 'ok' ? 'tool.completed' : 'tool.failed',
  callId: id,
  messageId,
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

export const callUsageEvent = (
  { id, number }: { readonly id: string; readonly number: number },
  stage: CallUsage['stage'],
  usage: Usage,
  step: number,
  by?: string,
): CallUsage => ({
  type: 'usage.call',
  messageId: id,
  stage,
  step,
  attempt: number,
  ...(by === undefined ? {} : { by }),
  ...usage,
})
