import type { SharedConversation } from '../types/shared-conversation.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'
import type { Event } from './events.ts'
import { deltaEvent } from './shared-conversation.ts'

/** The events of an unfinished turn, then the reasoning and the text of a reply that grew, each as one `message.text`. */
export function toldEvents(
  { events, partial, turnId }: UnfinishedTurn,
  conversation: SharedConversation,
): readonly Event[] {
  if (!partial) return events
  const { messageId } = partial
  const shown = (text: string, reasoning: boolean): Event[] =>
    text
      ? [
          {
            ...deltaEvent({ turnId, messageId, text, offset: 0, reasoning }, conversation),
            type: 'message.text',
          } as Event,
        ]
      : []
  return [...events, ...shown(partial.reasoning, true), ...shown(partial.text, false)]
}
