import type { ConversationCore } from '../types/conversation-core.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'
import { deltaEvent } from './event-makers.ts'
import type { Event } from './events.ts'

/** The events of an unfinished turn, then the reasoning and the text of a reply that grew, each as one `message.text`. */
export function toldEvents(
  { events, partial, turnId }: UnfinishedTurn,
  conversation: ConversationCore,
): readonly Event[] {
  if (!partial) return events
  const { messageId } = partial
  const shown = (text: string, reasoning: { reasoning?: true }): Event[] => {
    const delta = { type: 'message.delta' as const, messageId, text, offset: 0, ...reasoning }
    return text ? [{ ...deltaEvent(delta, turnId, conversation), type: 'message.text' } as Event] : []
  }
  return [...events, ...shown(partial.reasoning, { reasoning: true }), ...shown(partial.text, {})]
}
