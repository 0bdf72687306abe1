import {
  type Attachment,
  type Client,
  ClientError,
  type ConnectionStatus,
  type ConversationState,
  type ConversationSummary,
} from 'turnbuckle/client'
import { create } from 'zustand'
import type { Spans } from './spans.ts'

/** A short word for the person: something went wrong, or somebody else was at work. */
export interface Notice {
  readonly text: string
  readonly tone: 'bad' | 'news'
}

export interface Waiting {
  readonly id: string
  readonly conversationId: string
  readonly text: string
  readonly attachments: readonly Attachment[]
}

export interface Draft {
  readonly text: string
  readonly files: readonly Attachment[]
}

/** What the inspector shows. Without a turn it follows the newest. */
export interface Inspected {
  readonly tab: 'timeline' | 'decisions' | 'middleware' | 'permissions'
  readonly turnId: string | undefined
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
  /** What is being written. */
  readonly draft: Draft
  /** What is sent when the turn that runs there has ended. */
  readonly outbox: readonly Waiting[]
  /** What is known of the stages and hooks of the open conversation's turns. */
  readonly spans: Spans
  readonly panel: 'chat' | 'tree'
  readonly inspecting: boolean
  readonly inspected: Inspected
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
  draft: { text: '', files: [] },
  outbox: [],
  spans: new Map(),
  panel: 'chat',
  inspecting: false,
  inspected: { tab: 'timeline', turnId: undefined },
  railOpen: false,
  target: undefined,
}))

const { getState: get, setState: set } = useApp

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

let sending = false

/** What a person sends goes one at a time: a second press while the first is on its way does nothing. */
export async function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  if (sending) return undefined
  sending = true
  try {
    return await work()
  } finally {
    sending = false
  }
}

/** Changes what the inspector shows. */
export function inspect(change: Partial<Inspected>): void {
  const { inspected, conversation } = get()
  const newest = [...(conversation?.turns.keys() ?? [])].at(-1)
  const { tab, turnId } = { ...inspected, ...change }
  set({ inspecting: true, inspected: { tab, turnId: turnId === newest ? undefined : turnId } })
}

export const show = (change: Partial<Pick<App, 'panel' | 'inspecting' | 'railOpen' | 'target'>>): void => set(change)
