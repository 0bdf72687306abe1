import type { UnfinishedTurn } from '../types/journal.ts'
import type { SharedConversation } from '../types/shared-conversation.ts'
import type { Event } from './events.ts'
import { deltaEvent } from './shared-conversation.ts'

/** What an unfinished turn has told: its events, then what was shown of a reply that grew as one `message.text`. */
export function toldOf(
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
