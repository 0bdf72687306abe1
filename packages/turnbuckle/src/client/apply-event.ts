import type { ConversationState } from './conversation-state.ts'
import { ConversationView } from './conversation-view.ts'
import type { WireEvent } from './wire.ts'

/** The state after one more event; the same object where the event changes nothing. */
export function applyEvent(state: ConversationState, event: WireEvent): ConversationState {
  const view = new ConversationView(state)
  view.apply(event)
  return view.state
}
