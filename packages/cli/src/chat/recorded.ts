import type { Conversation } from 'turnbuckle'
import { applyEvent, closed } from './apply-event.ts'
import { itemsOfPath } from './message-items.ts'
import { type ChatState, type Item, show } from './state.ts'

/**
 * Shows the path to the head. Of a turn that a process has left in the middle it is all that was to be seen, cut where it
 * ended; `cut` are those items.
 */
export function showRecorded(
  state: ChatState,
  conversation: Conversation,
): { readonly state: ChatState; readonly cut: readonly Item[] } {
  const { messages, unfinished } = conversation
  const told = unfinished.map(turn => conversation.told(turn)).find(events => events.some(isAdded(messages.at(-1)?.id)))
  if (!told) return { state: itemsOfPath(messages).reduce(show, state), cut: [] }
  const before = messages.filter(({ id }) => !told.some(isAdded(id)))
  const shown = itemsOfPath(before).reduce(show, state)
  // What it has used was used before; the turn tells of it when it goes on.
  const whole = closed(told.filter(({ type }) => type !== 'usage').reduce(applyEvent, shown), 'cut off')
  return { state: whole, cut: whole.past.slice(shown.past.length) }
}

const isAdded =
  (id: string | undefined) =>
  (event: ReturnType<Conversation['told']>[number]): boolean =>
    event.type === 'message.added' && event.messageId === id
