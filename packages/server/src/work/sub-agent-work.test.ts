import type { Event } from 'turnbuckle'
import { toolLimit } from 'turnbuckle/middleware'
import { createStore, shareTurns } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { expect, onTestFinished, test } from 'vitest'
import { asksBelow, cluster, helps, type Made, marks, order, type Process } from '../../test/sub-agent-cluster.ts'
import type { SubAgentOrder, SubAgentStand } from '../conversations/turns/turn-runner.ts'

test('a sub-agent is worked on by another worker; its caller has its result, usage and events', async () => {
  const { process, engine, events } = await cluster()
  const caller = process({ model: scriptedModel([helps(), 'Thanks.']) })
  const other = process({ helper: scriptedModel([marks, 'Marked it.']) })
  engine.next = () => other
  const heard: Event[] = []
  const conversation = await caller.agent.open('c')
  conversation.subscribe(event => heard.push(event))
  expect(await caller.worker.work(order)).toEqual({ state: 'ended', status: 'completed' })
  const log = await events('c')
  expect(log.find(({ type }) => type === 'tool.completed')).toMatchObject({ result: 'Marked it.' })
  expect(log.at(-1)).toMatchObject({ type: 'turn.completed', usage: { inputTokens: 5, outputTokens: 2 } })
  expect(log.filter(({ type }) => (type as string) === 'agent.started')).toHaveLength(1)
  const passed = heard.flatMap(event => (event.type === 'agent.event' ? [event.event.type] : []))
  expect(passed).toEqual(expect.arrayContaining(['turn.started', 'tool.executing', 'tool.completed', 'turn.completed']))
})

test('a question of a sub-agent elsewhere leaves both, and the answer wakes both in other workers', async () => {
  const { process, engine, events, store } = await cluster()
  const ran: string[] = []
  const mark = (name: string) => void ran.push(name)
  const caller = process({ model: scriptedModel([helps()]) })
  const other = process({ helper: scriptedModel([marks]), mark, needsApproval: true })
  engine.next = () => other
  const stand = await caller.worker.work(order)
  expect(stand).toMatchObject({ state: 'waiting', requests: [{}] })
  await expect.poll(() => [caller.worker.running, other.worker.running]).toEqual([0, 0])
  const [request] = stand.state === 'waiting' ? stand.requests : []

  await (await process({}).agent.open('c')).answer(request?.id ?? '', { decision: 'allow' })
  const third = process({ model: scriptedModel(['Thanks.']) })
  const fourth = process({ helper: scriptedModel(['Marked it.']), mark, needsApproval: true })
  engine.next = () => fourth
  expect(await third.worker.work({ conversationId: 'c', turnId: 't1' })).toMatchObject({ status: 'completed' })
  expect(ran).toHaveLength(1)
  expect((await events('c')).filter(({ type }) => type === 'request.opened')).toHaveLength(1)
  expect(await store.turns({ status: 'open' })).toEqual([])
})

test('an interrupt of the caller ends a sub-agent elsewhere', async () => {
  const { process, engine, events, store, driver, hub } = await cluster()
  const signals: AbortSignal[] = []
  const mark = (_: string, signal: AbortSignal) => new Promise(() => signals.push(signal))
  const caller = process({ model: scriptedModel([helps()]) })
  const other = process({ helper: scriptedModel([marks]), mark })
  engine.next = () => other
  const working = caller.worker.work(order)
  await expect.poll(() => signals.length).toBe(1)
  const server = shareTurns(createStore(driver, { channel: hub.join() }))
  onTestFinished(() => server.close())
  await server.ask('c', { type: 'interrupt', turnId: 't1', reason: 'enough' })
  expect(await working).toEqual({ state: 'ended', status: 'interrupted' })
  await expect.poll(() => store.turns({ status: 'open' })).toEqual([])
  expect((await events('t1.h0')).at(-1)).toMatchObject({ type: 'turn.interrupted', reason: 'enough' })
  expect(signals[0]?.aborted).toBe(true)
})

test('sub-agents side by side on two workers stay within one limit of their caller', async () => {
  const { process, engine } = await cluster()
  const ran: string[] = []
  const mark = (name: string) => void ran.push(name)
  const use = [toolLimit(8)]
  const many = () =>
    scriptedModel(
      [({ messages }) => ({ calls: [{ name: 'mark', id: `m${messages.length}`, args: { n: messages.length } }] })],
      { repeat: true },
    )
  const caller = process({ model: scriptedModel([helps(2), 'Thanks.']), use })
  const others = [process({ helper: many(), mark, use }), process({ helper: many(), mark, use })]
  engine.next = () => others[engine.orders.length % 2]
  await caller.worker.work(order)
  // Two of the eight calls were those of the sub-agents.
  expect(ran).toHaveLength(6)
  expect(new Set(ran).size).toBe(2)
})

test('a sub-agent whose worker is lost goes on in another, and its tool is not run again', async () => {
  const { process, engine, store } = await cluster()
  const ran: string[] = []
  const mark = (name: string) => void ran.push(name)
  const caller = process({ model: scriptedModel([helps(), 'Thanks.']) })
  const first = process({ helper: scriptedModel([marks, { text: 'never', delayMs: 3_600_000 }]), mark })
  const second = process({ helper: scriptedModel(['Marked it.']), mark })
  engine.next = () => first
  const working = caller.worker.work(order)
  await expect.poll(() => ran).toHaveLength(1)
  engine.next = () => second
  await first.worker.close()
  expect(await working).toEqual({ state: 'ended', status: 'completed' })
  expect(ran).toHaveLength(1)
  expect(await store.turns({ status: 'open' })).toEqual([])
})

test('a caller that is interrupted while it is parked ends its sub-agent too', async () => {
  const { process, engine, events, store } = await cluster()
  const caller = process({ model: scriptedModel([helps()]) })
  const other = process({ helper: scriptedModel([marks]), needsApproval: true })
  engine.next = () => other
  expect(await caller.worker.work(order)).toMatchObject({ state: 'waiting' })
  await expect.poll(() => other.worker.running).toBe(0)
  const server = process({ needsApproval: true })
  await server.agent.open('c')
  const turn = server.agent.resume('c', 't1')
  turn?.interrupt('enough')
  expect(await turn?.settled).toMatchObject({ status: 'interrupted' })
  await expect.poll(() => store.turns({ status: 'open' })).toEqual([])
  expect((await events('t1.h0')).at(-1)).toMatchObject({ type: 'turn.interrupted' })
})

test('a call that a lost worker has begun is asked about, and nobody is held meanwhile', async () => {
  const { process, engine, events } = await cluster()
  const ran: string[] = []
  const mark = (name: string) => {
    ran.push(name)
    return new Promise(() => {})
  }
  const caller = process({ model: scriptedModel([helps()]) })
  const first = process({ helper: scriptedModel([marks]), mark })
  const second = process({ mark })
  engine.next = () => first
  const working = caller.worker.work(order)
  await expect.poll(() => ran).toHaveLength(1)
  engine.next = () => second
  await first.worker.close()
  expect(await working).toMatchObject({ state: 'waiting', requests: [{}] })
  await expect.poll(() => [caller.worker.running, second.worker.running]).toEqual([0, 0])
  const asked = (await events('c')).find(({ type }) => type === 'request.opened')
  expect(asked).toMatchObject({ kind: 'outcome', payload: { name: 'mark' } })
  expect(ran).toHaveLength(1)
})

test('an order of a caller that was taken over by the very worker which gets the order is left at once', async () => {
  const { process, engine, hub } = await cluster()
  const told: string[] = []
  let stale: Promise<SubAgentStand> | undefined
  const caller = process({ model: scriptedModel([helps(), 'Thanks.']) })
  const other = process({ helper: scriptedModel(['Marked it.']) })
  hub.join().listen('turns', { hear: message => void told.push(JSON.stringify(message)) })
  engine.next = () => {
    const [{ conversationId, caller: of } = { conversationId: '', caller: undefined }] = engine.orders
    engine.next = () => other
    if (of) stale = caller.worker.workForCaller({ conversationId, caller: of, session: 'of a lost worker' })
    return undefined
  }
  expect(await caller.worker.work(order)).toMatchObject({ status: 'completed' })
  expect(await stale).toEqual({ state: 'left' })
  expect(told.filter(message => message.includes('of a lost worker'))).toEqual([])
})

/** Orders of helpers go to the one, those of their own sub-agents to the other. */
const byLevel = (middle: Process, lowest: Process) => (given: SubAgentOrder) => (given.caller.above ? lowest : middle)

test('a sub-agent of a sub-agent is worked on by a third worker; result, usage and events pass through the second', async () => {
  const { process, engine, events } = await cluster()
  const caller = process({ model: scriptedModel([helps(), 'Thanks.']) })
  const middle = process({ helper: scriptedModel([asksBelow, 'It is marked.']) })
  const lowest = process({ lower: scriptedModel([marks, 'Marked it.']) })
  engine.next = byLevel(middle, lowest)
  const passed: string[] = []
  const conversation = await caller.agent.open('c')
  conversation.subscribe(event => {
    if (event.type === 'agent.event' && event.event.type === 'agent.event') passed.push(event.event.event.type)
  })
  expect(await caller.worker.work(order)).toEqual({ state: 'ended', status: 'completed' })
  expect((await events('t1.h0')).find(({ type }) => type === 'tool.completed')).toMatchObject({ result: 'Marked it.' })
  expect((await events('c')).at(-1)).toMatchObject({ usage: { inputTokens: 5, outputTokens: 2 } })
  expect(passed).toEqual(expect.arrayContaining(['turn.started', 'tool.executing', 'tool.completed', 'turn.completed']))
})

test('a question of the lowest leaves all three, and the answer wakes all in other workers', async () => {
  const { process, engine, events, store } = await cluster()
  const ran: string[] = []
  const mark = (name: string) => void ran.push(name)
  const caller = process({ model: scriptedModel([helps()]) })
  const middle = process({ helper: scriptedModel([asksBelow]), needsApproval: true })
  const lowest = process({ lower: scriptedModel([marks]), mark, needsApproval: true })
  engine.next = byLevel(middle, lowest)
  const stand = await caller.worker.work(order)
  expect(stand).toMatchObject({ state: 'waiting', requests: [{}] })
  await expect.poll(() => [caller, middle, lowest].map(({ worker }) => worker.running)).toEqual([0, 0, 0])
  const [request] = stand.state === 'waiting' ? stand.requests : []

  await (await process({}).agent.open('c')).answer(request?.id ?? '', { decision: 'allow' })
  const next = process({
    model: scriptedModel(['Thanks.']),
    helper: scriptedModel(['It is marked.']),
    needsApproval: true,
  })
  const last = process({ lower: scriptedModel(['Marked it.']), mark, needsApproval: true })
  engine.next = byLevel(next, last)
  expect(await next.worker.work({ conversationId: 'c', turnId: 't1' })).toMatchObject({ status: 'completed' })
  expect(ran).toHaveLength(1)
  expect((await events('c')).filter(({ type }) => type === 'request.opened')).toHaveLength(1)
  expect(await store.turns({ status: 'open' })).toEqual([])
})

test('an interrupt of the topmost ends the lowest, on a third worker', async () => {
  const { process, engine, events, store, driver, hub } = await cluster()
  const signals: AbortSignal[] = []
  const mark = (_: string, signal: AbortSignal) => new Promise(() => signals.push(signal))
  const caller = process({ model: scriptedModel([helps()]) })
  const middle = process({ helper: scriptedModel([asksBelow]) })
  engine.next = byLevel(middle, process({ lower: scriptedModel([marks]), mark }))
  const working = caller.worker.work(order)
  await expect.poll(() => signals.length).toBe(1)
  const server = shareTurns(createStore(driver, { channel: hub.join() }))
  onTestFinished(() => server.close())
  await server.ask('c', { type: 'interrupt', turnId: 't1', reason: 'enough' })
  expect(await working).toEqual({ state: 'ended', status: 'interrupted' })
  await expect.poll(() => store.turns({ status: 'open' })).toEqual([])
  const [conversation = ''] = engine.orders.flatMap(({ caller: of, conversationId }) =>
    of.above ? conversationId : [],
  )
  expect((await events(conversation)).at(-1)).toMatchObject({ type: 'turn.interrupted', reason: 'enough' })
  expect(signals[0]?.aborted).toBe(true)
})

test.each(['caller', 'middle', 'lowest'] as const)(
  'all go on where the worker of the %s is lost while a tool of the lowest runs, and the tool is not run again',
  async who => {
    const { process, engine, store } = await cluster()
    const ran: string[] = []
    const go: (() => void)[] = []
    const mark = (name: string) => {
      ran.push(name)
      return new Promise<string>(resolve => go.push(() => resolve('marked')))
    }
    const model = () => scriptedModel([helps(), 'Thanks.'])
    const slow: ScriptedStep = { text: 'never', delayMs: 3_600_000 }
    const caller = process({ model: model() })
    const middle = process({ helper: scriptedModel([asksBelow, 'It is marked.']) })
    const lowest = process({ lower: scriptedModel([marks, who === 'lowest' ? slow : 'Marked it.']), mark })
    engine.next = byLevel(middle, lowest)
    const working = caller.worker.work(order)
    working.catch(() => {})
    await expect.poll(() => ran).toHaveLength(1)
    const others = process({
      model: scriptedModel(['Thanks.']),
      helper: scriptedModel(['It is marked.']),
      lower: scriptedModel(['Marked it.']),
      mark,
    })
    engine.next = given => (who === 'middle' && given.caller.above ? lowest : others)
    if (who === 'lowest') {
      go[0]?.()
      const log = () => store.events(String(engine.orders[1]?.conversationId))
      await expect.poll(async () => (await log()).some(({ type }) => type === 'tool.completed')).toBe(true)
    }
    await { caller, middle, lowest }[who].worker.close()
    go[0]?.()
    const goesOn = who === 'caller' ? others.worker.work({ conversationId: 'c', turnId: 't1' }) : working
    expect(await goesOn).toEqual({ state: 'ended', status: 'completed' })
    expect(ran).toHaveLength(1)
    expect(await store.turns({ status: 'open' })).toEqual([])
  },
)

test('sub-agents of sub-agents on several workers stay within one limit of the topmost', async () => {
  const { process, engine } = await cluster()
  const ran: string[] = []
  const made = (): Made => ({
    use: [toolLimit(9)],
    mark: name => void ran.push(name),
    helper: scriptedModel([asksBelow, 'Done.'], { repeat: true }),
    lower: scriptedModel(
      [({ messages }) => ({ calls: [{ name: 'mark', id: `m${messages.length}`, args: { n: messages.length } }] })],
      { repeat: true },
    ),
  })
  const caller = process({ ...made(), model: scriptedModel([helps(2), 'Thanks.']) })
  const others = [process(made()), process(made()), process(made())]
  engine.next = () => others[engine.orders.length % 3]
  await caller.worker.work(order)
  // Four of the nine calls were those of the sub-agents.
  expect(engine.orders).toHaveLength(4)
  expect(ran).toHaveLength(5)
})

test('an order of a sub-agent whose caller is worked on anew by the very worker which gets the order is left at once', async () => {
  const { process, engine, hub } = await cluster()
  const told: string[] = []
  hub.join().listen('turns', { hear: message => void told.push(JSON.stringify(message)) })
  const stands: SubAgentStand[] = []
  const caller = process({ model: scriptedModel([helps(), 'Thanks.']) })
  const middle = process({ helper: scriptedModel([asksBelow, 'It is marked.']) })
  const lowest = process({ lower: scriptedModel(['Marked it.']) })
  engine.next = given => {
    if (!given.caller.above) return middle
    engine.next = () => lowest
    void middle.worker.workForCaller({ ...given, session: 'of a lost worker' }).then(stand => stands.push(stand))
    return undefined
  }
  expect(await caller.worker.work(order)).toMatchObject({ status: 'completed' })
  expect(stands).toEqual([{ state: 'left' }])
  expect(told.filter(message => message.includes('"message"') && message.includes('of a lost worker'))).toEqual([])
})
