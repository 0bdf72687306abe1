import type { ConversationSettings } from './settings.ts'
import type {
  ConversationCaller,
  SharedAccess,
  WireCall,
  WireConversation,
  WireNode,
  WireRequest,
  WireTurn,
} from './wire.ts'

/** A message that is being written. */
export interface LiveMessage {
  readonly id: string
  readonly turnId: string
  readonly parentId: string | null
  readonly text: string
  readonly reasoning: string
  /** Calls, as far as their arguments are written. */
  readonly calls: readonly WrittenCall[]
}

/** A call that is being written: its arguments are JSON text that may not be whole yet. */
export interface WrittenCall {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** A call of a turn, with its arguments while they are written. */
export interface LiveCall extends WireCall {
  /** The last thing a tool said about its progress. */
  readonly progress?: Readonly<Record<string, unknown>>
  /** The call's result, until its message is recorded: of calls that run side by side the last is waited for. */
  readonly result?: unknown
}

/** A sub-agent that works for a call of a running turn. */
export interface SubAgentState {
  /** The name of the sub-agent. */
  readonly agent: string
  /** The turn and the call that it works for. */
  readonly turnId: string
  /** The call whose result it will give. */
  readonly callId: string
  /** Its own conversation, as far as its events have told it here: its messages, calls and growing text, and its own sub-agents. */
  readonly state: ConversationState
}

/** An interjection that waits for the current batch of its turn. */
export interface Queued {
  readonly turnId: string
  readonly text: string
  /** The tool or middleware that said it; absent for a person's. */
  readonly by?: string
}

/** A conversation as a client knows it: the server's view, kept up to date by events. Never changed, always replaced. */
export interface ConversationState {
  readonly id: string
  readonly title: string
  readonly head: string | null
  readonly seq: number
  readonly nodes: ReadonlyMap<string, WireNode>
  readonly turns: ReadonlyMap<string, WireTurn>
  readonly calls: ReadonlyMap<string, LiveCall>
  readonly requests: readonly WireRequest[]
  /** The conversation's own settings; empty where it has none. */
  readonly settings: ConversationSettings
  /** On a sub-agent's conversation: the one that it works for. */
  readonly caller?: ConversationCaller
  /** On a conversation of somebody else's: whose it is, and how it was shared with this person when it was read. */
  readonly owner?: string
  readonly access?: SharedAccess
  readonly live: ReadonlyMap<string, LiveMessage>
  /** Sub-agents of running turns, by the id of their conversation. Once the turn has ended, that conversation can be opened. */
  readonly agents: ReadonlyMap<string, SubAgentState>
  readonly queued: readonly Queued[]
  /** Text that was shown before the server ended, by turn, until it is written anew. */
  readonly lost: ReadonlyMap<string, string>
  /** The last message of each running turn. */
  readonly tips: ReadonlyMap<string, string | null>
  /** The running turn that the head moves with. */
  readonly headTurn: string | undefined
  /** Something happened that events alone do not tell: fetch the conversation again. */
  readonly stale: boolean
}

/** Names a call across turns: call ids are unique within their turn alone. */
export const callKey = (turnId: string | null | undefined, callId: string): string => `${turnId ?? ''}/${callId}`

/** The state of a conversation before its first event. */
export const emptyState = (id: string): ConversationState =>
  conversationState({ id, title: '', head: null, seq: 0, at: 0, nodes: [], turns: [], requests: [], calls: [] })

/** The state to follow from: `after` is `state.seq`. Running turns are told again from their beginning. */
export function conversationState(view: WireConversation): ConversationState {
  const running = view.turns.filter(turn => turn.status === 'running')
  const tips = new Map<string, string | null>(running.map(turn => [turn.id, turn.parentId]))
  for (const node of view.nodes) if (node.turnId && tips.has(node.turnId)) tips.set(node.turnId, node.id)
  const { id, title, head, requests, settings = {}, caller, owner, access } = view
  const calls = new Map(view.calls.map(call => [callKey(call.turnId, call.callId), call]))
  for (const request of requests) markUnknown(calls, request)
  return {
    id,
    title,
    head,
    seq: Math.min(view.seq, ...running.map(turn => turn.seq - 1)),
    nodes: new Map(view.nodes.map(node => [node.id, node])),
    turns: new Map(view.turns.map(turn => [turn.id, turn])),
    calls,
    requests,
    settings,
    ...(caller ? { caller } : {}),
    ...(owner !== undefined && access ? { owner, access } : {}),
    live: new Map(),
    agents: new Map(),
    queued: [],
    lost: new Map(),
    tips,
    headTurn: [...tips].find(([, tip]) => tip === head)?.[0],
    stale: false,
  }
}

/** A request of the kind `outcome` asks whether a call happened that ran when its process ended: its status is unknown. */
export function markUnknown(calls: Map<string, LiveCall>, { kind, turnId, payload }: WireRequest): void {
  const key = callKey(turnId, (payload as { readonly id?: string } | null)?.id ?? '')
  const call = kind === 'outcome' ? calls.get(key) : undefined
  if (call) calls.set(key, { ...call, status: 'unknown' })
}
