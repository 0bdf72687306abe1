import { usageFields } from '../core/base/usage-sums.ts'
import type { Event } from '../core/events/events.ts'
import {
  type ConversationState,
  callKey,
  emptyState,
  type LiveCall,
  type LiveMessage,
  markUnknown,
  type SubAgentState,
} from './conversation-state.ts'
import { callEnd, callStart, keepMembers, nodeStart, requestStart, turnEnd, turnStart } from './kept-members.ts'
import { LogFacts } from './log-facts.ts'
import { queuedAfter } from './queued-after.ts'
import type { ConversationSettings } from './settings.ts'
import type { WireCall, WireEvent, WireNode, WireRequest, WireTurn } from './wire.ts'

type Of<Type extends Event['type']> = Extract<Event, { type: Type }>
type TurnEnd = Extract<Event, { outcome: unknown }>
type Maps = Pick<ConversationState, 'nodes' | 'turns' | 'calls' | 'live' | 'agents' | 'lost' | 'tips'>
type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }
type MutableMap<Given> = Given extends ReadonlyMap<infer Key, infer Value> ? Map<Key, Value> : never

/**
 * The one projection of a conversation's events, for server, clients and terminal. An event changes it in place, in time
 * that does not grow with the log; `state` gives it as a value that never changes.
 */
export class ConversationView {
  #now: Mutable<ConversationState>
  /** The state that was given out last. Its maps are copied before an event changes them. */
  #given: ConversationState | undefined
  #owned = new Set<keyof Maps>()
  /** Ids of the messages below each message: from the first message that is hidden on. */
  #children: Map<string, string[]> | undefined
  /** Meant for views that begin with the log's first event. */
  readonly facts: LogFacts = new LogFacts()

  constructor(state: ConversationState) {
    this.#now = { ...state }
    this.#given = state
  }
  /** The view of a log, before its first event. */
  static ofLog(id: string): ConversationView {
    return new ConversationView(emptyState(id))
  }

  /** Stays as it is while the view goes on; the same object for as long as no event changes anything. */
  get state(): ConversationState {
    if (this.#given) return this.#given
    this.#owned = new Set()
    this.#given = { ...this.#now }
    return this.#given
  }
  /** Messages that are being written, by id. Changes with the next event. */
  get live(): ReadonlyMap<string, LiveMessage> {
    return this.#now.live
  }
  /** Sub-agents of running turns, by the id of their conversation. Changes with the next event. */
  get agents(): ReadonlyMap<string, SubAgentState> {
    return this.#now.agents
  }
  turn(id: string): WireTurn | undefined {
    return this.#now.turns.get(id)
  }
  /** In the order they started. */
  get turns(): readonly WireTurn[] {
    return [...this.#now.turns.values()]
  }
  /** Those that have not ended. Found without going through all. */
  get runningTurns(): readonly WireTurn[] {
    const { tips, turns } = this.#now
    return Array.from(tips.keys(), id => turns.get(id)).filter(turn => turn?.status === 'running') as WireTurn[]
  }
  /** Requests that wait for an answer. */
  get requests(): readonly WireRequest[] {
    return this.#now.requests
  }
  /** The conversation's own settings. */
  get settings(): ConversationSettings {
    return this.#now.settings
  }
  /** The last message of a turn, or the one that the turn began behind. */
  tip(turnId: string): string | undefined {
    return this.facts.lastMessages.get(turnId) ?? this.#now.turns.get(turnId)?.parentId ?? undefined
  }
  /** Calls as the wire has them: with arguments only where they were changed. */
  get wireCalls(): readonly WireCall[] {
    const { callStatuses, changedArgs } = this.facts
    return Array.from(callStatuses, ([key, status]) => {
      const { args: _args, progress: _progress, result: _result, ...call } = this.#now.calls.get(key) as LiveCall
      return changedArgs.has(key) ? { ...call, status, args: changedArgs.get(key) } : { ...call, status }
    })
  }

  /** `at`: when the event was heard of; of an older log, when it happened. */
  apply(event: WireEvent, at: number = event.at): void {
    if ('seq' in event && event.seq !== undefined) this.#set('seq', event.seq)
    this.facts.apply(event, at)
    const { type } = event
    // Events do not tell the messages that come back: they are read anew.
    if (type === 'resync' || type === 'history.edited' || type === 'message.restored') this.#set('stale', true)
    else if (type === 'message.hidden') this.#hide(event.messageId)
    else if (type === 'settings.changed') this.#set('settings', event.settings)
    else if (type.startsWith('message.')) this.#applyMessage(event as Event)
    else if (type.startsWith('tool.')) this.#applyCall(event as Event)
    else if (type.startsWith('turn.')) this.#applyTurn(event as Event)
    else if (type.startsWith('request.')) this.#applyRequest(event as Event)
    else this.#applyOther(event as Event)
  }
  /** For an event that the log does not have: changes only the messages that are being written, and sub-agents at work. */
  applyUnlogged(event: WireEvent): void {
    if (event.type === 'agent.event') this.#applyAgent(event)
    if (event.type === 'message.delta' || event.type === 'message.text') this.#grow(event)
    if (event.type === 'tool.delta' || event.type === 'tool.text') this.#write(event)
    if (event.type === 'message.added' || event.type === 'message.discarded') this.#remove('live', event.messageId)
    if ('outcome' in event) this.#endReplies(event.turnId ?? '')
  }
  /** The call says which sub-agent works for it, also when that has ended. */
  #noteAgent(started: Of<'agent.started'>): void {
    const { turnId, callId, agent, agentConversationId, agentTurnId, durable = true } = started
    const key = callKey(turnId, callId)
    const call = this.#now.calls.get(key)
    const where = durable ? { conversationId: agentConversationId, turnId: agentTurnId } : {}
    if (call) this.#own('calls').set(key, { ...call, agent: { name: agent, ...where } })
  }
  /** A sub-agent's conversation has a view of its own, inside this one. */
  #applyAgent({ agent, agentConversationId: id, turnId = '', callId, event }: Of<'agent.event'>): void {
    const inside = new ConversationView(this.#now.agents.get(id)?.state ?? emptyState(id))
    inside.apply(event)
    this.#own('agents').set(id, { agent, turnId, callId, state: inside.state })
  }
  /** Messages that were being written are written again from the beginning. */
  forgetLive(): void {
    this.#own('live').clear()
  }

  #set<Key extends keyof ConversationState>(key: Key, value: ConversationState[Key]): void {
    if (this.#now[key] === value) return
    this.#now[key] = value
    this.#given = undefined
  }
  /** A map to write to: a copy, where a state was given out with the one that there was. */
  #own<Key extends keyof Maps>(key: Key): MutableMap<Maps[Key]> {
    if (!this.#owned.has(key)) {
      this.#now = { ...this.#now, [key]: new Map<unknown, unknown>(this.#now[key]) }
      this.#owned.add(key)
    }
    this.#given = undefined
    return this.#now[key] as unknown as MutableMap<Maps[Key]>
  }
  #remove(key: keyof Maps, id: string): void {
    if (this.#now[key].has(id)) this.#own(key).delete(id)
  }

  #applyMessage(event: Event): void {
    switch (event.type) {
      case 'message.started': {
        const { messageId: id, turnId = '', parentId = null } = event
        if (!this.#now.nodes.has(id))
          this.#own('live').set(id, { id, turnId, parentId, text: '', reasoning: '', calls: [] })
        return
      }
      case 'message.delta':
      case 'message.text':
        this.#grow(event)
        return
      case 'message.added':
        this.#addMessage(event)
        return
      case 'message.discarded':
        this.#remove('live', event.messageId)
        if (event.text) this.#own('lost').set(event.turnId ?? '', event.text)
        return
      case 'message.replaced': {
        const node = this.#now.nodes.get(event.messageId)
        if (node) this.#own('nodes').set(node.id, { ...node, message: event.message })
      }
    }
  }
  #grow(event: Of<'message.delta' | 'message.text'>): void {
    const { messageId, turnId = '', text, offset } = event
    const known = this.#liveMessage(messageId, turnId)
    const part = event.reasoning ? 'reasoning' : 'text'
    this.#own('live').set(messageId, { ...known, [part]: known[part].slice(0, offset) + text })
    if (!event.reasoning) this.#remove('lost', turnId)
  }
  #write(event: Of<'tool.delta' | 'tool.text'>): void {
    const { messageId, turnId = '', callId: id, name, text, offset } = event
    const known = this.#liveMessage(messageId, turnId)
    const before = known.calls.find(call => call.id === id)
    const call = { id, name, text: (before?.text ?? '').slice(0, offset) + text }
    const calls = before ? known.calls.map(one => (one.id === id ? call : one)) : [...known.calls, call]
    this.#own('live').set(messageId, { ...known, calls })
  }
  #liveMessage(id: string, turnId: string): LiveMessage {
    const { live, tips } = this.#now
    return live.get(id) ?? { id, turnId, parentId: tips.get(turnId) ?? null, text: '', reasoning: '', calls: [] }
  }
  #addMessage(event: Of<'message.added'>): void {
    const { messageId: id, parentId = null, turnId = null, message, at: createdAt } = event
    const known = this.#now.nodes.get(id)
    const node: WireNode = { createdAt, ...known, id, parentId, turnId, ...keepMembers(event, nodeStart) }
    this.#own('nodes').set(id, node)
    if (this.#children) addChild(this.#children, node)
    this.#remove('live', id)
    if (message.role === 'assistant') this.#remove('lost', turnId ?? '')
    if (turnId && this.#now.tips.has(turnId)) this.#own('tips').set(turnId, id)
    if (turnId && turnId === this.#now.headTurn) this.#set('head', id)
  }
  /** Removes a message and all below it. */
  #hide(messageId: string): void {
    this.#children ??= childrenOf(this.#now.nodes.values())
    const hidden = [messageId]
    for (const id of hidden) {
      hidden.push(...(this.#children.get(id) ?? []))
      this.#children.delete(id)
      this.#remove('nodes', id)
    }
  }

  #applyCall(event: Event): void {
    const { turnId = '', at } = event
    const set = (callId: string, change: Partial<LiveCall> & { name: string }) => {
      const key = callKey(turnId, callId)
      this.#own('calls').set(key, { status: 'pending', ...this.#now.calls.get(key), turnId, callId, ...change })
    }
    switch (event.type) {
      case 'tool.delta':
      case 'tool.text':
        this.#write(event)
        return
      case 'tool.pending':
        set(event.callId, { messageId: event.messageId, name: event.name, status: 'pending' })
        return
      case 'tool.executing':
        set(event.callId, { ...keepMembers(event, callStart), status: 'executing', args: event.args, startedAt: at })
        return
      case 'tool.progress': {
        const name = this.#now.calls.get(callKey(turnId, event.callId))?.name ?? ''
        set(event.callId, { name, progress: event })
        return
      }
      case 'tool.completed':
      case 'tool.failed':
        set(event.callId, { ...keepMembers(event, callEnd), result: event.result })
    }
  }

  #applyTurn(event: Event): void {
    const { turnId: id = '', at } = event
    if (event.type === 'turn.started') {
      const parentId = event.parentId ?? null
      const kept = keepMembers(event, turnStart)
      const turn: WireTurn = { id, seq: event.seq ?? 0, parentId, status: 'running', startedAt: at, ...kept }
      this.#own('turns').set(id, turn)
      // A turn that is told again, from its beginning, moves neither its tip nor the head back.
      if (this.#now.tips.has(id)) return
      this.#own('tips').set(id, parentId)
      this.#set('headTurn', id)
      this.#set('head', parentId)
    }
    if ('outcome' in event) this.#endTurn(id, event as TurnEnd)
  }
  #endTurn(id: string, event: TurnEnd): void {
    const { outcome: status, at: endedAt } = event
    const known = this.#now.turns.get(id) ?? { id, seq: 0, parentId: null, startedAt: endedAt }
    const turn: WireTurn = { ...known, status, ...keepMembers(event, turnEnd), endedAt }
    this.#own('turns').set(id, turn)
    this.#remove('tips', id)
    this.#endReplies(id)
    const { queued, requests, headTurn } = this.#now
    if (queued.some(({ turnId }) => turnId === id))
      this.#set(
        'queued',
        queued.filter(({ turnId }) => turnId !== id),
      )
    if (requests.some(({ turnId }) => turnId === id))
      this.#set(
        'requests',
        requests.filter(({ turnId }) => turnId !== id),
      )
    if (headTurn === id) this.#set('headTurn', undefined)
  }
  #endReplies(ended: string): void {
    for (const { id, turnId } of this.#now.live.values()) if (turnId === ended) this.#remove('live', id)
    for (const [id, { turnId }] of this.#now.agents) if (turnId === ended) this.#remove('agents', id)
  }

  #applyRequest(event: Event): void {
    const { turnId = '', at: openedAt } = event
    if (event.type === 'request.opened') {
      const { requestId: id, kind } = event
      const request: WireRequest = { id, turnId, openedAt, ...keepMembers(event, requestStart) }
      this.#set('requests', [...this.#now.requests.filter(other => other.id !== id), request])
      if (kind === 'outcome') markUnknown(this.#own('calls'), request)
    }
    if (event.type === 'request.answered') this.#noteAnswer(event)
    if (event.type === 'request.answered' || event.type === 'request.expired')
      this.#set(
        'requests',
        this.#now.requests.filter(({ id }) => id !== event.requestId),
      )
  }

  /** The call keeps who said what. One that was denied is shown so at once: its result comes when all questions of its batch are answered. */
  #noteAnswer({ requestId, decision: given, by }: Of<'request.answered'>): void {
    const request = this.#now.requests.find(({ id }) => id === requestId)
    if (request?.kind !== 'permission') return
    const key = callKey(request.turnId, (request.payload as { readonly id?: string } | null)?.id ?? '')
    const call = this.#now.calls.get(key)
    if (!call) return
    const { decision, to } = (given ?? {}) as { readonly decision?: unknown; readonly to?: unknown }
    // A running turn is told again from its beginning.
    const before = call.answers?.filter(answer => answer.requestId !== requestId) ?? []
    const answer = { requestId, decision: String(decision), ...(typeof to === 'string' ? { to } : {}) }
    this.#own('calls').set(key, {
      ...call,
      ...(by === undefined ? {} : { answers: [...before, { ...answer, by }] }),
      ...(decision === 'deny' && call.status === 'pending' ? { status: 'denied' as const } : {}),
    })
  }

  #applyOther(event: Event): void {
    const { turnId = '' } = event
    const { queued, tips, nodes, headTurn } = this.#now
    switch (event.type) {
      case 'interjection.queued':
      case 'interjection.withdrawn':
      case 'interjection.applied':
        this.#set('queued', queuedAfter(queued, event))
        return
      case 'head.moved': {
        const head = event.to ?? null
        // A turn that goes back moves its own tip; the head goes with it only where it follows that turn.
        if (tips.has(turnId)) {
          this.#own('tips').set(turnId, head)
          if (turnId === headTurn) this.#set('head', head)
          return
        }
        this.#set('head', head)
        this.#set('headTurn', [...tips].find(([, tip]) => tip !== null && tip === head)?.[0])
        return
      }
      case 'title.changed':
        this.#set('title', event.to)
        return
      case 'agent.event':
        this.#applyAgent(event)
        return
      case 'agent.started':
        this.#noteAgent(event)
        return
      case 'usage': {
        const node = nodes.get(event.messageId)
        if (!node) return
        const usage = usageFields(event)
        const price = usage.cost === undefined ? {} : { cost: usage.cost }
        this.#own('nodes').set(node.id, { ...node, usage, ...price })
      }
    }
  }
}

function childrenOf(nodes: Iterable<WireNode>): Map<string, string[]> {
  const children = new Map<string, string[]>()
  for (const node of nodes) addChild(children, node)
  return children
}
function addChild(children: Map<string, string[]>, { id, parentId }: WireNode): void {
  if (parentId === null) return
  const siblings = children.get(parentId)
  if (siblings) siblings.push(id)
  else children.set(parentId, [id])
}
