import type { Conversation } from 'turnbuckle'
import { addItem, closeLiveItems } from './change-item.ts'
import type { ChatState } from './chat-state.ts'
import { pathItems } from './message-items.ts'
import { showEvent } from './show-event.ts'
import type { TranscriptItem } from './transcript-item.ts'

/**
 * Shows the path to the head. Of a turn that a process has left in the middle it is all that was to be seen, cut where it
 * ended; `cut` are those items.
 */
export function showRecorded(
  state: ChatState,
  conversation: Conversation,
): { readonly state: ChatState; readonly cut: readonly TranscriptItem[] } {
  const { messages, unfinished } = conversation
  const told = unfinished.map(turn => conversation.told(turn)).find(events => events.some(isAdded(messages.at(-1)?.id)))
  if (!told) return { state: pathItems(messages).reduce(addItem, state), cut: [] }
  const before = messages.filter(({ id }) => !told.some(isAdded(id)))
  const shown = pathItems(before).reduce(addItem, state)
  // What it has used was used before; the turn tells of it when it goes on.
  const whole = closeLiveItems(told.filter(({ type }) => type !== 'usage').reduce(showEvent, shown), 'cut off')
  return { state: whole, cut: whole.past.slice(shown.past.length) }
}

const isAdded =
  (id: string | undefined) =>
  (event: ReturnType<Conversation['told']>[number]): boolean =>
    event.type === 'message.added' && event.messageId === id
