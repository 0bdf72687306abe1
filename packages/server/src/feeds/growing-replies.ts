import type { LiveMessage, WireEvent } from 'turnbuckle/client'

/**
 * The messages that are being written, for a follower that comes late: deltas are not in the log. One `message.text` for
 * each text so far, one `tool.text` for each call.
 */
export function growingReplies(live: Iterable<LiveMessage>, conversationId: string, at: number): WireEvent[] {
  const events: WireEvent[] = []
  for (const { id: messageId, turnId, text, reasoning, calls } of live) {
    const common = { conversationId, at, turnId, messageId, offset: 0 }
    if (reasoning) events.push({ type: 'message.text', ...common, text: reasoning, reasoning: true })
    if (text) events.push({ type: 'message.text', ...common, text })
    for (const call of calls)
      events.push({ type: 'tool.text', ...common, callId: call.id, name: call.name, text: call.text })
  }
  return events
}
