import {
  type Attachment,
  applyEvent,
  type Client,
  type ConversationState,
  conversationState,
  type ListChange,
  type WireEvent,
} from 'turnbuckle/client'
import { tellOthersAnswers } from './answers.ts'
import { attempt, oneAtATime, say, useApp } from './app-state.ts'
import { frames } from './frames.ts'
import { sendQueued } from './outbox.ts'
import { newestLeaf, pathTo, runningTurn } from './path.ts'
import { heard } from './server-clock.ts'
import { connect, conversationInAddress, keepToken, showInAddress } from './session.ts'
import { numbered, spansIn, withSpans } from './spans.ts'

const { getState: get, setState: set } = useApp

let unfollow: () => void = () => {}

/** Signs in, and shows what the address names. */
export function enter(token: string): void {
  get().client?.close()
  keepToken(token)
  const client = connect(token)
  set({ client, status: client.status })
  client.onStatus(status => {
    const { status: before } = get()
    // A server that began anew numbers spans anew: they are asked for again.
    if (status === 'open') set({ status, spans: new Map() })
    else set({ status })
    if (status === 'open' && before === 'offline') void loadList()
  })
  client.watch(changeList)
  void loadList()
  void open(conversationInAddress())
}

export async function loadList(): Promise<void> {
  const list = await attempt(client => client.listConversations({ limit: 1000 }))
  if (list) set({ list })
  sendQueued()
}

function changeList(change: ListChange): void {
  const { list = [], openId } = get()
  if (change.type === 'conversation.deleted') {
    const { conversationId: gone } = change
    set({
      list: list.filter(({ id }) => id !== gone),
      outbox: get().outbox.filter(({ conversationId }) => conversationId !== gone),
    })
    if (openId !== gone) return
    say('This conversation was deleted.', 'news')
    void open(undefined)
    return
  }
  const { conversation } = change
  const rest = list.filter(({ id }) => id !== conversation.id)
  set({ list: [conversation, ...rest].sort((a, b) => b.updatedAt - a.updatedAt) })
  sendQueued()
}

/** Opens a conversation and follows it; `undefined` is the blank page for a new one. */
export async function open(id: string | undefined, options: { readonly quietly?: boolean } = {}): Promise<void> {
  unfollow()
  const kept = options.quietly ? {} : { conversation: undefined, spans: new Map() }
  set({ openId: id, problem: undefined, railOpen: false, ...kept })
  showInAddress(id)
  const { client } = get()
  if (id === undefined || !client) return
  try {
    const told = await client.conversation(id)
    heard(told.at)
    const view = conversationState(told)
    if (get().openId !== id) return
    set({ conversation: view })
    follow(client, view)
    sendQueued()
  } catch (error) {
    if (get().openId === id) set({ problem: error instanceof Error ? error.message : String(error) })
  }
}

function follow(client: Client, { id, seq }: ConversationState): void {
  const batch = frames<WireEvent>(events => receive(id, events))
  const stop = client.follow(id, { after: seq, trace: true, onEvent: batch.add })
  unfollow = () => {
    stop()
    batch.stop()
  }
}

function receive(id: string, events: readonly WireEvent[]): void {
  const { conversation, openId, spans: known } = get()
  if (!conversation || openId !== id) return
  let state = conversation
  for (const event of events) {
    heard(event.at)
    state = applyEvent(state, event)
  }
  if (state.stale) {
    void open(id, { quietly: true })
    return
  }
  tellOthersAnswers(conversation, events)
  const spans = spansIn(known, events)
  if (state !== conversation || spans !== known) set({ conversation: state, spans })
  if (runningTurn(conversation) && !runningTurn(state)) sendQueued()
}

/** What the server remembers of a turn's stages and hooks, those that run now included. */
export async function loadSpans(turnId: string): Promise<void> {
  const trace = await attempt(client => client.trace(turnId))
  if (trace) set({ spans: withSpans(get().spans, turnId, numbered([...trace.spans, ...trace.open])) })
}

/** Sends at the head, or as a branch at `parentId`. Makes the conversation first where there is none. */
export async function send(
  text: string,
  attachments: readonly Attachment[],
  parentId?: string | null,
): Promise<boolean> {
  const turn = {
    text,
    ...(attachments.length ? { attachments } : {}),
    ...(parentId === undefined ? {} : { parentId }),
  }
  const key = crypto.randomUUID()
  const sent = await oneAtATime(() =>
    attempt(async client => {
      let id = get().openId
      if (id === undefined) {
        id = (await client.createConversation()).id
        await open(id)
      }
      return client.send(id, turn, key)
    }),
  )
  return sent !== undefined
}

export function stopTurn(): void {
  const { conversation } = get()
  const turnId = conversation && runningTurn(conversation)
  if (turnId) void attempt(client => client.interrupt(turnId))
}

export function moveHead(head: string): Promise<unknown> {
  const { openId } = get()
  return attempt(client => client.changeConversation(openId ?? '', { head }))
}

/** Brings a message into view, on its own branch where it is on another. */
export async function reveal(messageId: string): Promise<void> {
  const { conversation } = get()
  if (!conversation) return
  const shown = pathTo(conversation.nodes, conversation.head).some(({ id }) => id === messageId)
  if (!shown) await moveHead(newestLeaf(conversation.nodes, messageId))
  set({ panel: 'chat', target: messageId })
}
