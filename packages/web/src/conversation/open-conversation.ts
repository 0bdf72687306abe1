import { applyEvent, type Client, type ConversationState, conversationState, type WireEvent } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { showConversationInAddress } from '../state/conversation-in-address.ts'
import { switchDraft } from '../state/drafts.ts'
import { createFrameBatch } from '../state/frame-batch.ts'
import { noteServerTime } from '../state/server-now.ts'
import { noticeAnswersElsewhere } from './answer-request.ts'
import { runningTurn } from './running-turn.ts'
import { sendQueuedMessages } from './send-queued-messages.ts'
import { addTracedSpans } from './spans.ts'

const { getState: get, setState: set } = useAppState

let unfollow: () => void = () => {}

/**
 * Opens a conversation and follows its events; `undefined` is the blank page for a new one. `quietly` keeps the old view
 * until the new one is there; `withDraft` takes the draft along.
 */
export async function openConversation(
  id: string | undefined,
  options: { readonly quietly?: boolean; readonly withDraft?: boolean } = {},
): Promise<void> {
  unfollow()
  if (!options.withDraft) switchDraft(id)
  const kept = options.quietly ? {} : { conversation: undefined, spans: new Map() }
  set({ openId: id, problem: undefined, railOpen: false, ...kept })
  showConversationInAddress(id)
  const { client } = get()
  if (id === undefined || !client) return
  try {
    const told = await client.conversation(id)
    noteServerTime(told.at)
    const view = conversationState(told)
    if (get().openId !== id) return
    set({ conversation: view })
    follow(client, view)
    sendQueuedMessages()
  } catch (error) {
    if (get().openId === id) set({ problem: error instanceof Error ? error.message : String(error) })
  }
}

function follow(client: Client, { id, seq }: ConversationState): void {
  const batch = createFrameBatch<WireEvent>(events => receive(id, events))
  const stop = client.follow(id, { after: seq, trace: true, onEvent: batch.add })
  unfollow = () => {
    stop()
    batch.stop()
  }
}

/** Applies a frame's events. A state that cannot be brought up to date by events is read anew. */
function receive(id: string, events: readonly WireEvent[]): void {
  const { conversation, openId, spans: known } = get()
  if (!conversation || openId !== id) return
  let state = conversation
  for (const event of events) {
    noteServerTime(event.at)
    state = applyEvent(state, event)
  }
  if (state.stale) {
    void openConversation(id, { quietly: true })
    return
  }
  noticeAnswersElsewhere(conversation, events)
  const spans = addTracedSpans(known, events)
  if (state !== conversation || spans !== known) set({ conversation: state, spans })
  if (runningTurn(conversation) && !runningTurn(state)) sendQueuedMessages()
}
