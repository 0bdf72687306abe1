import type { Message } from '../../core/base/message.ts'
import type { Event } from '../../core/events/events.ts'

/** A message of a turn, with its parent and the time at which it was recorded. */
export interface PlacedMessage {
  readonly message: Message
  readonly parentId: string | undefined
  readonly at: number
}

/** The messages that an event puts into the tree. */
export function placedMessages(event: Event): readonly PlacedMessage[] {
  if (event.type === 'message.added') return [event]
  if (event.type !== 'history.edited') return []
  const { at, messages } = event
  return messages.map((message, i) => ({ message, parentId: i ? messages[i - 1]?.id : event.parentId, at }))
}
