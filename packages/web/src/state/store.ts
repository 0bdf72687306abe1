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
  type WireSpan,
} from 'turnbuckle/client'
import { create } from 'zustand'
import { frames } from './frames.ts'
import { newestLeaf, pathTo, runningTurn } from './path.ts'
import { showInAddress } from './session.ts'

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
  /** A short word about what just went wrong. */
  readonly notice: string | undefined
  /** What is sent when the running turn has ended. */
  readonly outbox: readonly Waiting[]
  /** Spans of turns that run while the inspector is open. */
  readonly spans: ReadonlyMap<string, readonly WireSpan[]>
  readonly panel: 'chat' | 'tree'
  readonly inspecting: boolean
  readonly railOpen: boolean
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
}))

const { getState: get, setState: set } = useApp

let unfollow: () => void = () => {}
let noticeTimer: ReturnType<typeof setTimeout> | undefined

export function say(notice: string): void {
  clearTimeout(noticeTimer)
  set({ notice })
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
    set({ status })
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
  const kept = options.quietly ? {} : { conversation: undefined, outbox: [] }
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
  const { conversation, openId } = get()
  if (!conversation || openId !== id) return
  let state = conversation
  for (const event of events) {
    if (event.type === 'trace.span') keepSpan(event.turnId, event.span)
    else state = applyEvent(state, event)
  }
  if (state.stale) {
    void open(id, { quietly: true })
    return
  }
  if (state !== conversation) set({ conversation: state })
  if (runningTurn(conversation) && !runningTurn(state)) void sendNext()
}

function keepSpan(turnId: string, span: WireSpan): void {
  const { spans } = get()
  set({ spans: new Map(spans).set(turnId, [...(spans.get(turnId) ?? []), span]) })
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
  set({ panel: 'chat' })
  setTimeout(() => {
    const element = document.getElementById(`m-${messageId}`)
    element?.scrollIntoView({ block: 'center' })
    element?.focus({ preventScroll: true })
  }, 60)
}

export const show = (change: Partial<Pick<App, 'panel' | 'inspecting' | 'railOpen'>>): void => set(change)
