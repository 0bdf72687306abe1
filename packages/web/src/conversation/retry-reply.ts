import type { WireNode } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { attachmentsOf, textOf } from './message-parts.ts'
import { sendMessage } from './send-message.ts'

/** Sends the user message of a reply's turn once more, as a sibling of the first. */
export function retryReply(reply: WireNode): void {
  const { conversation } = useAppState.getState()
  if (!conversation) return
  let asked: WireNode | undefined = reply
  while (asked && !(asked.message.role === 'user' && asked.turnId === reply.turnId))
    asked = asked.parentId === null ? undefined : conversation.nodes.get(asked.parentId)
  if (asked) void sendMessage(textOf(asked.message), attachmentsOf(asked.message), asked.parentId)
}
