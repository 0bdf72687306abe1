import type {
  AskedRequest,
  Client,
  ConnectionStatus,
  ConversationSettings,
  ConversationState,
  ConversationSummary,
  WireMiddleware,
} from 'turnbuckle/client'
import { create } from 'zustand'
import type { ServerHead } from '../conversation/facts/server-head.ts'
import type { Spans } from '../conversation/facts/spans.ts'
import type { PanelId } from '../panels.ts'

/** A short message to the person: a call to the server failed (`bad`), or another page acted (`news`). */
export interface Notice {
  readonly text: string
  readonly tone: 'bad' | 'news'
  /** Something that the person can do about it. */
  readonly action?: NoticeAction
}

export interface NoticeAction {
  readonly label: string
  readonly run: () => void
  /** The hidden message that it shows again. */
  readonly restores?: string
}

/** A message that is sent when its conversation's running turn has ended. Its id is the idempotency key of its turn. */
export interface QueuedMessage {
  readonly id: string
  readonly conversationId: string
  readonly text: string
  readonly files: readonly DraftFile[]
  /** The turn that it waits for: it goes to the end of that turn's branch. */
  readonly turnId?: string
}

/** A file of a message that is not sent yet. It is uploaded at once, so that it outlives a reload. */
export interface DraftFile {
  readonly key: string
  readonly name: string
  readonly mediaType: string
  /** The id that the server gave it; absent while it is being uploaded. */
  readonly id?: string
  /** Why it could not be uploaded. */
  readonly problem?: string
}

/** A long pasted text. It is shown folded, and sent behind the words of its message. */
export interface FoldedPaste {
  readonly key: string
  readonly text: string
}

/** The message in the composer that is not sent yet. */
export interface Draft {
  readonly text: string
  readonly files: readonly DraftFile[]
  readonly pastes: readonly FoldedPaste[]
}

/** A tab of the inspector. Each has its row in `inspector/inspector-tabs.ts`. */
export type InspectorTabId = 'timeline' | 'decisions' | 'middleware' | 'permissions'

/** The tab and the turn that the inspector shows. Without a turn it follows the newest. */
export interface Inspected {
  readonly tab: InspectorTabId
  readonly turnId: string | undefined
}

/** A message that is being edited, to be sent again. */
export interface MessageEdit {
  readonly text: string
  readonly isOnItsWay: boolean
}

/** All state of the page. Components read it with `useAppState`; only `state/` and `conversation/` write it. */
export interface AppState {
  readonly client: Client | undefined
  readonly status: ConnectionStatus
  /** The person of the token, once it was read. */
  readonly me: Awaited<ReturnType<Client['me']>> | undefined
  readonly list: readonly ConversationSummary[] | undefined
  /** The list could not be read when it was asked for last. */
  readonly isListMissing: boolean
  /** Open questions of other people's conversations that name this person. */
  readonly askedRequests: readonly AskedRequest[]
  /** How many calls that ask for a permission are being edited. */
  readonly editedCalls: number
  /** The agent's middleware with its switches, once it was read. */
  readonly middleware: readonly WireMiddleware[] | undefined
  /** The models that can be used here, once they were read. */
  readonly models: Awaited<ReturnType<Client['models']>> | undefined
  /** The section of the settings that is shown in the place of the conversation. */
  readonly settingsSection: string | undefined
  /** The settings that the next new conversation gets. */
  readonly newSettings: ConversationSettings
  readonly openId: string | undefined
  /** The open conversation. Its `head` is where this page looks: the server's own is `serverHead`. */
  readonly conversation: ConversationState | undefined
  readonly serverHead: ServerHead
  /** Why the open conversation cannot be shown. */
  readonly problem: string | undefined
  readonly notice: Notice | undefined
  /** The draft of the open conversation, or of the blank page. */
  readonly draft: Draft
  /** Drafts of conversations that are not open. */
  readonly drafts: Readonly<Record<string, Draft>>
  /** Edits that are not sent yet, by the id of their message. */
  readonly edits: Readonly<Record<string, MessageEdit>>
  readonly queuedMessages: readonly QueuedMessage[]
  /** A message or a request for a turn is on its way, or its turn was not heard of yet. */
  readonly sending: boolean
  /** The turn that this page began last, with its words: they are recorded only once the hooks before the input are through. */
  readonly begunTurn: { readonly id: string; readonly text: string } | undefined
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
  me: undefined,
  list: undefined,
  isListMissing: false,
  askedRequests: [],
  editedCalls: 0,
  middleware: undefined,
  models: undefined,
  settingsSection: undefined,
  newSettings: {},
  openId: undefined,
  conversation: undefined,
  serverHead: { id: null, turnId: undefined },
  problem: undefined,
  notice: undefined,
  draft: { text: '', files: [], pastes: [] },
  drafts: {},
  edits: {},
  queuedMessages: [],
  sending: false,
  begunTurn: undefined,
  spans: new Map(),
  mainPanel: undefined,
  sidePanel: undefined,
  inspected: { tab: 'timeline', turnId: undefined },
  railOpen: false,
  revealedMessage: undefined,
}))
