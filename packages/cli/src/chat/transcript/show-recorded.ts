import type { Conversation, Message } from 'turnbuckle'
import { closeLiveItems } from './change-item.ts'
import type { ChatState } from './chat-state.ts'
import { pathItems, type RecordedFacts } from './message-items.ts'
import { recordedView } from './recorded-view.ts'
import { showEvent } from './show-event.ts'
import type { TranscriptItem } from './transcript-item.ts'

/**
 * Adds messages of the path to the head: all, or the last of them as `messages`. A turn that a process left in the middle is shown from its events, so that
 * unrecorded text is there too; `cut` are its items.
 */
export function showRecorded(
  before: ChatState,
  conversation: Conversation,
  messages: readonly Message[] = conversation.messages,
  facts?: RecordedFacts,
): { readonly state: ChatState; readonly cut: readonly TranscriptItem[] } {
  const { unfinished } = conversation
  const state = { ...before, view: recordedView(conversation) }
  const told = unfinished.map(turn => conversation.told(turn)).find(events => events.some(isAdded(messages.at(-1)?.id)))
  if (!told) return { state: { ...state, past: [...state.past, ...pathItems(messages, facts)] }, cut: [] }
  const earlier = messages.filter(({ id }) => !told.some(isAdded(id)))
  const shown = { ...state, past: [...state.past, ...pathItems(earlier, facts)] }
  // Usage events are left out: the resumed turn sends them again, and they would count twice.
  const whole = closeLiveItems(told.filter(({ type }) => type !== 'usage').reduce(showEvent, shown), 'cut off')
  return { state: whole, cut: whole.past.slice(shown.past.length) }
}

const isAdded =
  (id: string | undefined) =>
  (event: ReturnType<Conversation['told']>[number]): boolean =>
    event.type === 'message.added' && event.messageId === id
