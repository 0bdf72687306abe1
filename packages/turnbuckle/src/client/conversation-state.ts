import type { Event } from '../core/events/events.ts'
import type { WireCall, WireConversation, WireEvent, WireNode, WireRequest, WireTurn } from './wire.ts'

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

export interface LiveCall extends WireCall {
  /** The last thing a tool said about its progress. */
  readonly progress?: Readonly<Record<string, unknown>>
  /** What came of it, until that is recorded: of calls that run side by side the last is waited for. */
  readonly result?: unknown
}

export interface Queued {
  readonly turnId: string
  readonly text: string
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
  readonly live: ReadonlyMap<string, LiveMessage>
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

export const callKey = (turnId: string | null | undefined, callId: string): string => `${turnId ?? ''}/${callId}`

/** The state to follow from: `after` is `state.seq`. Running turns are told again from their beginning. */
export function conversationState(view: WireConversation): ConversationState {
  const running = view.turns.filter(turn => turn.status === 'running')
  const tips = new Map<string, string | null>(running.map(turn => [turn.id, turn.parentId]))
  for (const node of view.nodes) if (node.turnId && tips.has(node.turnId)) tips.set(node.turnId, node.id)
  const { id, title, head, requests } = view
  return {
    id,
    title,
    head,
    seq: Math.min(view.seq, ...running.map(turn => turn.seq - 1)),
    nodes: new Map(view.nodes.map(node => [node.id, node])),
    turns: new Map(view.turns.map(turn => [turn.id, turn])),
    calls: requests.reduce(asked, new Map(view.calls.map(call => [callKey(call.turnId, call.callId), call]))),
    requests,
    live: new Map(),
    queued: [],
    lost: new Map(),
    tips,
    headTurn: [...tips].find(([, tip]) => tip === head)?.[0],
    stale: false,
  }
}

type Change = Partial<ConversationState>

/** The state after one more event. */
export function applyEvent(state: ConversationState, event: WireEvent): ConversationState {
  const seq = 'seq' in event && event.seq !== undefined ? event.seq : state.seq
  const change = changeBy(state, event)
  return change || seq !== state.seq ? { ...state, seq, ...change } : state
}

function changeBy(state: ConversationState, event: WireEvent): Change | undefined {
  const { type } = event
  if (type === 'resync' || type === 'history.edited') return { stale: true }
  if (type === 'message.hidden') return hide(state, event.messageId)
  if (type.startsWith('message.')) return messageChange(state, event as Event)
  if (type.startsWith('tool.')) return callChange(state, event as Event)
  if (type.startsWith('turn.')) return turnChange(state, event as Event)
  return otherChange(state, event as Event)
}

const withEntry = <Value>(map: ReadonlyMap<string, Value>, key: string, value: Value): Map<string, Value> =>
  new Map(map).set(key, value)
function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  if (!map.has(key)) return map
  const rest = new Map(map)
  rest.delete(key)
  return rest
}

function messageChange(state: ConversationState, event: Event): Change | undefined {
  switch (event.type) {
    case 'message.started': {
      const { messageId: id, turnId = '', parentId = null } = event
      if (state.nodes.has(id)) return undefined
      return { live: withEntry(state.live, id, { id, turnId, parentId, text: '', reasoning: '', calls: [] }) }
    }
    case 'message.delta':
    case 'message.text':
      return grow(state, event)
    case 'message.added':
      return added(state, event)
    case 'message.discarded': {
      const { messageId, turnId = '', text } = event
      const live = without(state.live, messageId)
      return text ? { live, lost: withEntry(state.lost, turnId, text) } : { live }
    }
    case 'message.replaced': {
      const node = state.nodes.get(event.messageId)
      return node && { nodes: withEntry(state.nodes, node.id, { ...node, message: event.message }) }
    }
    default:
      return undefined
  }
}

function grow(state: ConversationState, event: Extract<Event, { type: 'message.delta' | 'message.text' }>): Change {
  const { messageId, turnId = '', text, offset } = event
  const known = liveMessage(state, messageId, turnId)
  const part = event.reasoning ? 'reasoning' : 'text'
  return {
    live: withEntry(state.live, messageId, { ...known, [part]: known[part].slice(0, offset) + text }),
    lost: event.reasoning ? state.lost : without(state.lost, turnId),
  }
}

function write(state: ConversationState, event: Extract<Event, { type: 'tool.delta' | 'tool.text' }>): Change {
  const { messageId, turnId = '', callId: id, name, text, offset } = event
  const known = liveMessage(state, messageId, turnId)
  const before = known.calls.find(call => call.id === id)?.text ?? ''
  const call = { id, name, text: before.slice(0, offset) + text }
  const calls = known.calls.some(one => one.id === id)
    ? known.calls.map(one => (one.id === id ? call : one))
    : [...known.calls, call]
  return { live: withEntry(state.live, messageId, { ...known, calls }) }
}

const liveMessage = ({ live, tips }: ConversationState, id: string, turnId: string): LiveMessage =>
  live.get(id) ?? { id, turnId, parentId: tips.get(turnId) ?? null, text: '', reasoning: '', calls: [] }

function added(state: ConversationState, event: Extract<Event, { type: 'message.added' }>): Change {
  const { messageId: id, parentId, turnId, message, at } = event
  const known = state.nodes.get(id)
  const node: WireNode = { createdAt: at, ...known, id, parentId: parentId ?? null, turnId: turnId ?? null, message }
  return {
    nodes: withEntry(state.nodes, id, node),
    live: without(state.live, id),
    lost: message.role === 'assistant' ? without(state.lost, turnId ?? '') : state.lost,
    ...(turnId && state.tips.has(turnId) ? { tips: withEntry(state.tips, turnId, id) } : {}),
    ...(turnId && turnId === state.headTurn ? { head: id } : {}),
  }
}

function hide(state: ConversationState, messageId: string): Change {
  const gone = new Set([messageId])
  const nodes = new Map<string, WireNode>()
  for (const node of state.nodes.values())
    if (gone.has(node.id) || (node.parentId && gone.has(node.parentId))) gone.add(node.id)
    else nodes.set(node.id, node)
  return { nodes }
}

function callChange(state: ConversationState, event: Event): Change | undefined {
  const { turnId = '', at } = event
  const set = (callId: string, change: Partial<LiveCall> & { name: string }): Change => {
    const key = callKey(turnId, callId)
    const known = state.calls.get(key)
    return { calls: withEntry(state.calls, key, { status: 'pending', ...known, turnId, callId, ...change }) }
  }
  switch (event.type) {
    case 'tool.delta':
    case 'tool.text':
      return write(state, event)
    case 'tool.pending':
      return set(event.callId, { name: event.name, status: 'pending' })
    case 'tool.executing':
      return set(event.callId, { name: event.name, status: 'executing', args: event.args, startedAt: at })
    case 'tool.progress': {
      const name = state.calls.get(callKey(turnId, event.callId))?.name ?? ''
      return set(event.callId, { name, progress: event })
    }
    case 'tool.completed':
    case 'tool.failed':
      return set(event.callId, {
        name: event.name,
        status: event.status,
        durationMs: event.durationMs,
        result: event.result,
      })
    default:
      return undefined
  }
}

type Calls = ConversationState['calls']

/** A call that ran when a process ended: whether it happened is asked, so it is not known. */
function asked(calls: Calls, { kind, turnId, payload }: WireRequest): Calls {
  const key = callKey(turnId, (payload as { readonly id?: string } | null)?.id ?? '')
  const call = kind === 'outcome' ? calls.get(key) : undefined
  return call ? withEntry(calls, key, { ...call, status: 'unknown' }) : calls
}

function turnChange(state: ConversationState, event: Event): Change | undefined {
  const { turnId: id = '', at } = event
  if (event.type === 'turn.started') {
    const parentId = event.parentId ?? null
    const turn: WireTurn = { id, seq: event.seq ?? 0, parentId, status: 'running', startedAt: at }
    const replayed = state.tips.has(id)
    return {
      turns: withEntry(state.turns, id, turn),
      ...(replayed ? {} : { tips: withEntry(state.tips, id, parentId), headTurn: id, head: parentId }),
    }
  }
  if (!('outcome' in event)) return undefined
  const { outcome, reason, by, usage, error } = event as Extract<Event, { outcome: unknown }>
  const known = state.turns.get(id) ?? { id, seq: 0, parentId: null, startedAt: at }
  const turn: WireTurn = { ...known, status: outcome, reason, by, usage, endedAt: at, ...(error ? { error } : {}) }
  return {
    turns: withEntry(state.turns, id, turn),
    tips: without(state.tips, id),
    live: new Map([...state.live].filter(([, message]) => message.turnId !== id)),
    queued: state.queued.filter(({ turnId }) => turnId !== id),
    requests: state.requests.filter(({ turnId }) => turnId !== id),
    headTurn: state.headTurn === id ? undefined : state.headTurn,
  }
}

function otherChange(state: ConversationState, event: Event): Change | undefined {
  const { turnId = '', at } = event
  switch (event.type) {
    case 'request.opened': {
      const { requestId: id, kind, payload, deadline } = event
      const request: WireRequest = { id, kind, payload, turnId, openedAt: at, ...(deadline ? { deadline } : {}) }
      const requests = [...state.requests.filter(other => other.id !== id), request]
      return { requests, calls: asked(state.calls, request) }
    }
    case 'request.answered':
    case 'request.expired':
      return { requests: state.requests.filter(({ id }) => id !== event.requestId) }
    case 'interjection.queued':
      return { queued: [...state.queued, { turnId, text: event.withheld ? '…' : event.text }] }
    case 'interjection.applied': {
      const index = state.queued.findIndex(one => one.turnId === turnId)
      return { queued: state.queued.filter((_, i) => i !== index) }
    }
    case 'head.moved': {
      const head = event.to ?? null
      return { head, headTurn: [...state.tips].find(([, tip]) => tip !== null && tip === head)?.[0] }
    }
    case 'title.changed':
      return { title: event.to }
    case 'usage': {
      const node = state.nodes.get(event.messageId)
      if (!node) return undefined
      const { inputTokens, outputTokens, cost } = event
      const usage = { inputTokens, outputTokens, ...(cost === undefined ? {} : { cost }) }
      const priced = { ...node, usage, ...(cost === undefined ? {} : { cost }) }
      return { nodes: withEntry(state.nodes, node.id, priced) }
    }
    default:
      return undefined
  }
}
