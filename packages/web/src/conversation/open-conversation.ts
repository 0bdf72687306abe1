import { type Client, type ConversationState, conversationState, type WireEvent } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { showConversationInAddress } from '../state/conversation-in-address.ts'
import { switchDraft } from '../state/drafts.ts'
import { createFrameBatch } from '../state/frame-batch.ts'
import { noteServerTime } from '../state/server-now.ts'
import { noticeAnswersElsewhere } from './answer-request.ts'
import { moveServerHead, type ServerHead, serverHeadOf } from './facts/server-head.ts'
import { addTracedSpans } from './facts/spans.ts'
import { expectNoTurn, keepLooking } from './keep-looking.ts'
import { announceElsewhere, keepLook, lookedAtFrom } from './look-at.ts'
import { rememberedLook } from './remembered-looks.ts'
import { sendQueuedMessages } from './send-queued-messages.ts'

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
  if (!options.quietly) {
    set({ settingsSection: undefined })
    showConversationInAddress(id)
  }
  const { client } = get()
  if (id === undefined || !client) return
  try {
    const told = await client.conversation(id)
    noteServerTime(told.at)
    const view = conversationState(told)
    if (get().openId !== id) return
    expectNoTurn()
    set({ conversation: asLookedAt(view), serverHead: serverHeadOf(view) })
    follow(client, view)
    sendQueuedMessages()
  } catch (error) {
    if (get().openId === id) set({ problem: error instanceof Error ? error.message : String(error) })
  }
}

/** The conversation from where this tab looked at it; from its head where it looked there, or never. */
function asLookedAt(view: ConversationState): ConversationState {
  const look = rememberedLook(view.id)
  const node = look === undefined ? undefined : view.nodes.get(look)
  if (!node) return view
  // A turn that still runs there has gone on meanwhile.
  return lookedAtFrom(view, view.tips.get(node.turnId ?? '') ?? node.id)
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
  const { conversation, openId, spans: known, serverHead: headBefore } = get()
  if (!conversation || openId !== id) return
  const { state, serverHead, elsewhere } = applyEvents(conversation, headBefore, events)
  if (state.stale) {
    void openConversation(id, { quietly: true })
    return
  }
  noticeAnswersElsewhere(conversation, events)
  const spans = addTracedSpans(known, events)
  if (state !== conversation || spans !== known) set({ conversation: state, spans, serverHead })
  if (state.head !== conversation.head || serverHead !== headBefore) keepLook()
  if (elsewhere) announceElsewhere(elsewhere)
  if ([...conversation.tips.keys()].some(turnId => !state.tips.has(turnId))) sendQueuedMessages()
}

interface Applied {
  readonly state: ConversationState
  readonly serverHead: ServerHead
  readonly elsewhere: string | undefined
}

function applyEvents(before: ConversationState, headBefore: ServerHead, events: readonly WireEvent[]): Applied {
  let [state, serverHead] = [before, headBefore]
  let elsewhere: string | undefined
  for (const event of events) {
    noteServerTime(event.at)
    serverHead = moveServerHead(serverHead, event, state.tips)
    const looked = keepLooking(state, event)
    state = looked.state
    elsewhere = looked.elsewhere ?? elsewhere
  }
  return { state, serverHead, elsewhere }
}
