import { createAgent, middleware, rewind, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { applyEvent } from './apply-event.ts'
import { callKey, conversationState, emptyState } from './conversation-state.ts'
import { ConversationView } from './conversation-view.ts'
import type { WireConversation, WireEvent } from './wire.ts'

const stamp = { conversationId: 'c', turnId: 't', at: 5 }
const event = (type: string, more: object): WireEvent => ({ type, ...stamp, ...more }) as unknown as WireEvent

test.each([1, 2, 3, 4, 5])('a view that events change in place ends as the state that they replace (log %i)', seed => {
  const log = randomLog(seed)
  const view = ConversationView.ofLog('c')
  let state = emptyState('c')
  for (const one of log) {
    view.apply(one)
    state = applyEvent(state, one)
  }
  expect(view.state).toEqual(state)
})

test.each([1, 2, 3])('running turns are those of all turns that have not ended (log %i)', seed => {
  const view = ConversationView.ofLog('c')
  for (const event of randomLog(seed)) {
    view.apply(event)
    expect(view.runningTurns).toEqual(view.turns.filter(({ status }) => status === 'running'))
  }
})

test('a state that was given out stays as it is while events go on', () => {
  const view = ConversationView.ofLog('c')
  const given: { readonly state: object; readonly copy: object }[] = []
  for (const one of randomLog(6)) {
    view.apply(one)
    given.push({ state: view.state, copy: structuredClone(view.state) })
  }
  for (const { state, copy } of given) expect(state).toEqual(copy)
})

test('an event that changes nothing leaves the same state', () => {
  const state = applyEvent(emptyState('c'), event('turn.started', { seq: 1 }))
  expect(applyEvent(state, event('hook.failed', { name: 'x', point: 'beforeTurn', error: 'no' }))).toBe(state)
})

test('a view goes on from what a server told: running turns are told again from their beginning', () => {
  const log = randomLog(7)
  const half = ConversationView.ofLog('c')
  const whole = ConversationView.ofLog('c')
  const middle = Math.floor(log.length / 2)
  for (const one of log.slice(0, middle)) half.apply(one)
  for (const one of log) whole.apply(one)
  let client = conversationState(wire(half))
  for (const one of log) if ('seq' in one && (one.seq ?? 0) > client.seq) client = applyEvent(client, one)
  const { turns, nodes, head, title, tips } = whole.state
  expect({ ...client, turns, nodes, head, title, tips }).toEqual(client)
})

test('an event that the log does not have changes only messages that are being written', () => {
  const view = ConversationView.ofLog('c')
  view.apply(event('turn.started', { seq: 1 }))
  view.applyUnlogged(event('message.delta', { messageId: 'm', text: 'Hel', offset: 0 }))
  view.applyUnlogged(event('tool.delta', { messageId: 'm', callId: 'a', name: 'add', text: '{', offset: 0 }))
  expect([...view.live.values()]).toMatchObject([{ id: 'm', text: 'Hel', calls: [{ id: 'a', text: '{' }] }])
  view.applyUnlogged(event('turn.failed', { outcome: 'failed', reason: 'x', by: 'store', text: '', usage: {} }))
  expect(view.live.size).toBe(0)
  expect(view.turns).toMatchObject([{ id: 't', status: 'running' }])
})

test('the head goes on with a turn that went back', async () => {
  const firm = middleware({
    name: 'firm',
    afterDecide: ctx => (/depends/.test(textOf(ctx.reply)) ? rewind(0, 'Yes or no?') : undefined),
  })
  const chat = createAgent({ model: scriptedModel(['It depends.', 'Yes.']), use: [firm] }).conversation()
  const view = ConversationView.ofLog(chat.id)
  chat.subscribe(event => view.apply(event))
  await chat.send('Will it rain?')
  expect(view.state.head).toBe(chat.head)
})

test('a turn beside that of the head goes back without it', () => {
  const view = ConversationView.ofLog('c')
  const say = (turnId: string, messageId: string, parentId?: string) => {
    const message = { id: messageId, role: 'user', content: [] }
    view.apply(event('message.added', { turnId, messageId, parentId, role: 'user', message }))
  }
  view.apply(event('turn.started', { turnId: 'beside' }))
  say('beside', 'a')
  view.apply(event('turn.started', { turnId: 'head' }))
  say('head', 'b')
  view.apply(event('head.moved', { turnId: 'beside', from: 'a' }))
  say('head', 'c', 'b')
  expect(view.state.head).toBe('c')
  expect([...view.state.tips]).toEqual([
    ['beside', null],
    ['head', 'c'],
  ])
})

test('a call says which sub-agent has worked for it, also after the turn', () => {
  const view = ConversationView.ofLog('c')
  view.apply(event('turn.started', { seq: 1 }))
  for (const callId of ['a', 'b']) view.apply(event('tool.pending', { seq: 2, callId, name: 'ask' }))
  const started = { agent: 'scout', agentConversationId: 'inner', agentTurnId: 'u' }
  view.apply(event('agent.started', { seq: 3, callId: 'a', ...started, durable: true }))
  view.apply(event('agent.started', { seq: 4, callId: 'b', ...started, durable: false }))
  view.apply(
    event('turn.completed', { seq: 5, outcome: 'completed', reason: 'done', by: 'model', text: '', usage: {} }),
  )
  const [a, b] = conversationState(wire(view)).calls.values()
  expect([a?.agent, b?.agent]).toEqual([{ name: 'scout', conversationId: 'inner', turnId: 'u' }, { name: 'scout' }])
})

test('a call says who has allowed it, each vote once, also where its turn is told again', () => {
  const log = [
    event('turn.started', { seq: 1 }),
    event('tool.pending', { seq: 2, callId: 'a', name: 'pay', args: {} }),
    ...['ada', 'bob'].flatMap((by, i) => [
      event('request.opened', { seq: 3 + 2 * i, requestId: `r${i}`, kind: 'permission', payload: { id: 'a' } }),
      event('request.answered', {
        seq: 4 + 2 * i,
        requestId: `r${i}`,
        kind: 'permission',
        decision: { decision: 'allow' },
        by,
      }),
    ]),
  ]
  const view = ConversationView.ofLog('c')
  for (const one of log) view.apply(one)
  let client = conversationState(wire(view))
  for (const one of log) client = applyEvent(client, one)
  const answers = [
    { requestId: 'r0', decision: 'allow', by: 'ada' },
    { requestId: 'r1', decision: 'allow', by: 'bob' },
  ]
  expect(view.state.calls.get(callKey('t', 'a'))?.answers).toEqual(answers)
  expect(client.calls.get(callKey('t', 'a'))?.answers).toEqual(answers)
})

test('a call knows the message that made it, from its first event on', () => {
  const view = ConversationView.ofLog('c')
  const call = { callId: 'a', messageId: 'm', name: 'add' }
  view.apply(event('tool.pending', { ...call, args: {}, seq: 1 }))
  expect(view.wireCalls).toMatchObject([{ messageId: 'm', status: 'pending' }])
  view.apply(event('tool.completed', { ...call, status: 'ok', result: 3, durationMs: 1, seq: 2 }))
  expect(view.wireCalls).toMatchObject([{ messageId: 'm', status: 'ok' }])
})

test('the wire has a call’s arguments only where they were changed, and the status that the log has', () => {
  const view = ConversationView.ofLog('c')
  const call = (callId: string, args: object) => {
    view.apply(event('tool.pending', { callId, name: 'add', args: { a: 1 } }))
    view.apply(event('tool.executing', { callId, name: 'add', args }))
  }
  call('same', { a: 1 })
  call('changed', { a: 2 })
  view.apply(event('tool.progress', { callId: 'same', name: 'add', done: 1 }))
  view.apply(event('request.opened', { requestId: 'r', kind: 'outcome', payload: { id: 'same' } }))
  const common = { turnId: 't', name: 'add', status: 'executing', startedAt: 5 }
  expect(view.wireCalls).toEqual([
    { callId: 'same', ...common },
    { callId: 'changed', ...common, args: { a: 2 } },
  ])
  expect(view.state.calls.get(callKey('t', 'same'))).toMatchObject({ status: 'unknown', progress: { done: 1 } })
})

/** The answer to `GET /api/conversations/:id`. */
function wire(view: ConversationView): WireConversation {
  const { id, title, head, seq, nodes } = view.state
  const { turns, requests, wireCalls: calls } = view
  return { id, title, head, seq, at: 0, nodes: [...nodes.values()], turns, requests, calls }
}

/** Writes a log of several turns, as a conversation may have it, with choices that a seed determines. */
class RandomLog {
  readonly events: WireEvent[] = []
  readonly #messages: (string | undefined)[] = [undefined]
  #number: number
  #seq = 0
  /** The message that the turn which is being written goes on from. */
  #tip: string | undefined

  constructor(seed: number) {
    this.#number = seed
  }
  #pick(below: number): number {
    this.#number = (this.#number * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((this.#number / 4_294_967_296) * below)
  }
  /** The members of `value` once in `below` times, and none otherwise. */
  #maybe(below: number, value: object): object {
    return this.#pick(below) ? {} : value
  }
  get #anyMessage(): string | undefined {
    return this.#messages[this.#pick(this.#messages.length)]
  }
  #add(type: string, turnId: string | undefined, more: object): void {
    const seq = /\.(delta|text)$/.test(type) ? undefined : ++this.#seq
    this.events.push(event(type, { ...more, ...(seq ? { seq } : {}), turnId, at: 1000 + this.events.length }))
  }
  #addRarely(below: number, type: string, turnId: string, more: object): boolean {
    if (this.#pick(below)) return false
    this.#add(type, turnId, more)
    return true
  }
  #message(turnId: string, role: string, content: readonly object[]): string {
    const messageId = `m${this.#messages.length}`
    this.#add('message.added', turnId, {
      messageId,
      parentId: this.#tip,
      role,
      message: { id: messageId, role, content },
    })
    this.#tip = messageId
    this.#messages.push(messageId)
    return messageId
  }

  changes(): void {
    this.#add('title.changed', undefined, { from: undefined, to: `title ${this.#pick(9)}` })
    this.#add('head.moved', undefined, { from: this.#anyMessage, to: this.#anyMessage })
    this.#add('message.hidden', undefined, { messageId: this.#anyMessage ?? 'm' })
  }
  turn(turnId: string): void {
    this.#tip = this.#anyMessage
    const tag = { tag: { key: `k${this.#pick(3)}`, body: 'b' } }
    this.#add('turn.started', turnId, { parentId: this.#tip, ...this.#maybe(2, tag) })
    this.#message(turnId, 'user', [{ type: 'text', text: `hi ${turnId}` }])
    for (let step = 0; step < 4; step++) if (this.#reply(turnId, `call_${step}`)) this.#call(turnId, `call_${step}`)
  }
  /** False where the reply was withdrawn. */
  #reply(turnId: string, callId: string): boolean {
    const messageId = `m${this.#messages.length}`
    this.#add('message.started', turnId, { messageId, parentId: this.#tip, role: 'assistant' })
    for (let i = 0; i < this.#pick(3); i++) this.#add('message.delta', turnId, { messageId, text: 'ab', offset: i * 2 })
    this.#addRarely(3, 'message.delta', turnId, { messageId, text: 'why', offset: 0, reasoning: true })
    this.#addRarely(3, 'tool.delta', turnId, { messageId, callId, name: 'add', text: '{"a"', offset: 0 })
    if (
      this.#addRarely(6, 'message.discarded', turnId, { messageId, reason: 'no', ...this.#maybe(2, { text: 'was' }) })
    )
      return false
    this.#message(turnId, 'assistant', [{ type: 'text', text: 'ab' }])
    const usage = { inputTokens: 3, outputTokens: 2, cost: 0.25 }
    this.#add('usage', turnId, { messageId, ...usage, ...this.#maybe(4, { cost: undefined }), total: {} })
    return true
  }
  #call(turnId: string, callId: string): void {
    const args = { a: this.#pick(3) }
    const call = { callId, name: 'add' }
    this.#add('tool.pending', turnId, { ...call, args })
    const request = { requestId: `${turnId}.${callId}`, kind: 'permission' }
    const payload = { payload: { id: callId }, ...this.#maybe(2, { deadline: 9 }) }
    if (this.#addRarely(3, 'request.opened', turnId, { ...request, ...payload })) {
      const answered = this.#addRarely(2, 'request.answered', turnId, { ...request, decision: { decision: 'allow' } })
      if (!answered) this.#add('request.expired', turnId, { ...request, reason: 'deadline' })
    }
    this.#addRarely(3, 'interjection.queued', turnId, { text: 'wait', ...this.#maybe(2, { withheld: true }) })
    this.#add('tool.executing', turnId, { ...call, args, ...this.#maybe(3, { args: 'changed' }) })
    this.#addRarely(2, 'tool.progress', turnId, { ...call, done: 1 })
    const end = { ...call, result: 5, durationMs: this.#pick(9) }
    if (!this.#addRarely(4, 'tool.failed', turnId, { ...end, status: 'error' }))
      this.#add('tool.completed', turnId, { ...end, status: 'ok' })
    const messageId = this.#message(turnId, 'tool', [{ type: 'result', id: callId, value: 5 }])
    this.#addRarely(4, 'message.replaced', turnId, { messageId, message: { id: messageId, role: 'tool', content: [] } })
    this.#addRarely(4, 'interjection.applied', turnId, { text: 'wait', messageId })
  }
  endTurn(turnId: string): void {
    const outcome = ['completed', 'stopped', 'failed', 'interrupted'][this.#pick(4)]
    const usage = { inputTokens: 20, outputTokens: 10, ...this.#maybe(2, { cost: 2 }) }
    const end = { outcome, reason: 'done', by: 'loop', text: 'ab', usage, ...this.#maybe(2, { error: 'broken' }) }
    this.#add(`turn.${outcome}`, turnId, end)
  }
}

/** Six turns that ended, and one that runs. */
function randomLog(seed: number): readonly WireEvent[] {
  const log = new RandomLog(seed)
  for (let i = 0; i < 6; i++) {
    log.turn(`turn_${i}`)
    log.endTurn(`turn_${i}`)
  }
  log.changes()
  log.turn('turn_6')
  return log.events
}
