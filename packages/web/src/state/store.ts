import {
  type Attachment,
  applyEvent,
  type Client,
  ClientError,
  type ConnectionStatus,
  type ConversationState,
  type ConversationSummary,
  conversationState,
  type ListChange,
  type WireEvent,
} from 'turnbuckle/client'
import { create } from 'zustand'
import { frames } from './frames.ts'
import { newestLeaf, pathTo, runningTurn } from './path.ts'
import { heard } from './server-clock.ts'
import { showInAddress } from './session.ts'
import { numbered, type Spans, spansIn, withSpans } from './spans.ts'

/** A short word for the person: something went wrong, or somebody else was at work. */
export interface Notice {
  readonly text: string
  readonly tone: 'bad' | 'news'
}

export interface Waiting {
  readonly id: string
  readonly text: string
  readonly attachments: readonly Attachment[]
}

interface App {
  readonly client: Client | undefined
  readonly status: ConnectionStatus
  readonly list: readonly ConversationSummary[] | undefined
  readonly openId: string | undefined
  readonly conversation: ConversationState | undefined
  /** Why the open conversation cannot be shown. */
  readonly problem: string | undefined
  readonly notice: Notice | undefined
  /** What is sent when the running turn has ended. */
  readonly outbox: readonly Waiting[]
  /** What is known of the stages and hooks of the open conversation's turns. */
  readonly spans: Spans
  readonly panel: 'chat' | 'tree'
  readonly inspecting: boolean
  readonly railOpen: boolean
  /** The message to bring into view as soon as it is there. */
  readonly target: string | undefined
}

export const useApp = create<App>()(() => ({
  client: undefined,
  status: 'connecting',
  list: undefined,
  openId: undefined,
  conversation: undefined,
  problem: undefined,
  notice: undefined,
  outbox: [],
  spans: new Map(),
  panel: 'chat',
  inspecting: false,
  railOpen: false,
  target: undefined,
}))

const { getState: get, setState: set } = useApp

let unfollow: () => void = () => {}
let noticeTimer: ReturnType<typeof setTimeout> | undefined

export function say(text: string, tone: Notice['tone'] = 'bad'): void {
  clearTimeout(noticeTimer)
  set({ notice: { text, tone } })
  noticeTimer = setTimeout(() => set({ notice: undefined }), 6000)
}

/** Runs a call, and says what went wrong in plain words. */
export async function attempt<Result>(work: (client: Client) => Promise<Result>): Promise<Result | undefined> {
  const { client } = get()
  if (!client) return undefined
  try {
    return await work(client)
  } catch (error) {
    say(error instanceof ClientError ? error.message : String(error))
    return undefined
  }
}

export function signIn(client: Client): void {
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
}

export async function loadList(): Promise<void> {
  const list = await attempt(client => client.listConversations({ limit: 1000 }))
  if (list) set({ list })
}

function changeList(change: ListChange): void {
  const { list = [], openId } = get()
  if (change.type === 'conversation.deleted') {
    set({ list: list.filter(({ id }) => id !== change.conversationId) })
    if (openId === change.conversationId) void open(undefined)
    return
  }
  const { conversation } = change
  const rest = list.filter(({ id }) => id !== conversation.id)
  set({ list: [conversation, ...rest].sort((a, b) => b.updatedAt - a.updatedAt) })
}

/** Opens a conversation and follows it; `undefined` is the blank page for a new one. */
export async function open(id: string | undefined, options: { readonly quietly?: boolean } = {}): Promise<void> {
  unfollow()
  const kept = options.quietly ? {} : { conversation: undefined, outbox: [], spans: new Map() }
  set({ openId: id, problem: undefined, railOpen: false, ...kept })
  showInAddress(id)
  const { client } = get()
  if (id === undefined || !client) return
  try {
    const view = conversationState(await client.conversation(id))
    if (get().openId !== id) return
    set({ conversation: view })
    follow(client, view)
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
  if (runningTurn(conversation) && !runningTurn(state)) void sendNext()
}

/** Requests that this page has answered. */
const answered = new Set<string>()

/** Whoever answers first decides: the others are told. */
export async function answerRequest(requestId: string, value: unknown): Promise<void> {
  const { client, openId } = get()
  if (!client) return
  answered.add(requestId)
  try {
    await client.answer(requestId, value)
  } catch (error) {
    answered.delete(requestId)
    const { code, message, decision } = error as ClientError
    say(code === 'request.answered' ? `You were not the first: ${decided(decision)}.` : message)
    if (code === 'request.answered' || code === 'request.expired') void open(openId, { quietly: true })
  }
}

/** A question on this page that was answered on another. */
function tellOthersAnswers({ requests }: ConversationState, events: readonly WireEvent[]): void {
  for (const event of events) {
    if (event.type !== 'request.answered' || answered.has(event.requestId)) continue
    if (requests.some(({ id }) => id === event.requestId)) say(`Elsewhere, ${decided(event.decision)}.`, 'news')
  }
}

function decided(decision: unknown): string {
  const { decision: word } = (typeof decision === 'object' && decision ? decision : {}) as { decision?: unknown }
  return word === 'allow' ? 'it was allowed' : word === 'deny' ? 'it was denied' : 'the question was answered'
}

/** What the server remembers of a turn's stages and hooks, those that run now included. */
export async function loadSpans(turnId: string): Promise<void> {
  const trace = await attempt(client => client.trace(turnId))
  if (trace) set({ spans: withSpans(get().spans, turnId, numbered([...trace.spans, ...trace.open])) })
}

async function sendNext(): Promise<void> {
  const [next, ...outbox] = get().outbox
  if (!next) return
  set({ outbox })
  await send(next.text, next.attachments)
}

/** Sends at the head, or as a branch at `parentId`. Makes the conversation first where there is none. */
export async function send(
  text: string,
  attachments: readonly Attachment[],
  parentId?: string | null,
): Promise<boolean> {
  const key = crypto.randomUUID()
  const sent = await attempt(async client => {
    let id = get().openId
    if (id === undefined) {
      id = (await client.createConversation()).id
      await open(id)
    }
    const turn = {
      text,
      ...(attachments.length ? { attachments } : {}),
      ...(parentId === undefined ? {} : { parentId }),
    }
    return client.send(id, turn, key)
  })
  return sent !== undefined
}

export function queue(text: string, attachments: readonly Attachment[]): void {
  set({ outbox: [...get().outbox, { id: crypto.randomUUID(), text, attachments }] })
}
export function unqueue(id: string): void {
  set({ outbox: get().outbox.filter(waiting => waiting.id !== id) })
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

export const show = (change: Partial<Pick<App, 'panel' | 'inspecting' | 'railOpen' | 'target'>>): void => set(change)
