import type {
  AskedRequest,
  Attachment,
  Client,
  ConnectionStatus,
  ConversationState,
  ConversationSummary,
  WireMiddleware,
} from 'turnbuckle/client'
import { create } from 'zustand'
import type { Spans } from '../conversation/spans.ts'
import type { PanelId } from '../panels.ts'

/** A short message to the person: a call to the server failed (`bad`), or another page acted (`news`). */
export interface Notice {
  readonly text: string
  readonly tone: 'bad' | 'news'
  /** Something that the person can do about it. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** A message that is sent when its conversation's running turn has ended. Its id is the idempotency key of its turn. */
export interface QueuedMessage {
  readonly id: string
  readonly conversationId: string
  readonly text: string
  readonly attachments: readonly Attachment[]
}

/** The message in the composer that is not sent yet. */
export interface Draft {
  readonly text: string
  readonly files: readonly Attachment[]
}

/** A tab of the inspector. Each has its row in `inspector/inspector-tabs.ts`. */
export type InspectorTabId = 'timeline' | 'decisions' | 'middleware' | 'permissions'

/** The tab and the turn that the inspector shows. Without a turn it follows the newest. */
export interface Inspected {
  readonly tab: InspectorTabId
  readonly turnId: string | undefined
}

/** All state of the page. Components read it with `useAppState`; only `state/` and `conversation/` write it. */
export interface AppState {
  readonly client: Client | undefined
  readonly status: ConnectionStatus
  readonly list: readonly ConversationSummary[] | undefined
  /** Open questions of other people's conversations that name this person. */
  readonly askedRequests: readonly AskedRequest[]
  /** The agent's middleware with its switches, once it was read. */
  readonly middleware: readonly WireMiddleware[] | undefined
  /** The models that can be used here, once they were read. */
  readonly models: Awaited<ReturnType<Client['models']>> | undefined
  readonly openId: string | undefined
  readonly conversation: ConversationState | undefined
  /** Why the open conversation cannot be shown. */
  readonly problem: string | undefined
  readonly notice: Notice | undefined
  /** The draft of the open conversation, or of the blank page. */
  readonly draft: Draft
  /** Drafts of conversations that are not open. */
  readonly drafts: Readonly<Record<string, Draft>>
  readonly queuedMessages: readonly QueuedMessage[]
  /** Stages and hooks of the open conversation's turns, as far as they were traced. */
  readonly spans: Spans
  /** The panel in the place of the chat; without one the chat is shown. */
  readonly mainPanel: PanelId | undefined
  /** The panel beside the conversation. */
  readonly sidePanel: PanelId | undefined
  readonly inspected: Inspected
  readonly railOpen: boolean
  /** The message to scroll to as soon as it is drawn. */
  readonly revealedMessage: string | undefined
}

export const useAppState = create<AppState>()(() => ({
  client: undefined,
  status: 'connecting',
  list: undefined,
  askedRequests: [],
  middleware: undefined,
  models: undefined,
  openId: undefined,
  conversation: undefined,
  problem: undefined,
  notice: undefined,
  draft: { text: '', files: [] },
  drafts: {},
  queuedMessages: [],
  spans: new Map(),
  mainPanel: undefined,
  sidePanel: undefined,
  inspected: { tab: 'timeline', turnId: undefined },
  railOpen: false,
  revealedMessage: undefined,
}))
