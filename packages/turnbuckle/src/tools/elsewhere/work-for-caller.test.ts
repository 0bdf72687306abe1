import { type Agent, agentTool, block, type CreateAgentOptions, createAgent, middleware, tool } from 'turnbuckle'
import { tokenLimit, toolRetry } from 'turnbuckle/middleware'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { runSubAgentsBy, type SubAgentCall, type WorkForCaller, workForCaller } from 'turnbuckle/tools'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Conversation as ConversationHandle } from '../../core/agent/conversation.ts'

type Use = CreateAgentOptions['use']
interface Made {
  readonly model?: readonly ScriptedStep[]
  readonly helper?: readonly ScriptedStep[]
  readonly use?: Use
  readonly ofHelper?: Use
  /** Sees each message on its way to the caller. */
  readonly onTell?: (message: string) => void
  readonly onWork?: (work: WorkForCaller) => void
}

const helps: ScriptedStep = { calls: [{ name: 'helper', args: { task: 'Echo' } }] }
const usage = { inputTokens: 3, outputTokens: 3 }
const echoes: ScriptedStep = { calls: [{ name: 'echo', args: { n: 1 } }], usage }
const plain = (data: unknown): unknown => JSON.parse(JSON.stringify(data))
const results = (messages: readonly { content: readonly unknown[] }[]) =>
  messages.flatMap(({ content }) => content).filter(part => (part as { type: string }).type === 'result')

/** A caller's process and another that works on its sub-agents, on one store. */
function twoProcesses(made: Made) {
  const { driver } = memoryStore()
  const works: WorkForCaller[] = []
  const calls: SubAgentCall[] = []
  const process = (model: readonly ScriptedStep[], helper: readonly ScriptedStep[]): Agent => {
    const store = createStore(driver)
    const echo = tool({ name: 'echo', run: args => args })
    const sub = createAgent({
      name: 'helper',
      model: scriptedModel([...helper]),
      store,
      tools: [echo],
      ...(made.ofHelper ? { use: made.ofHelper } : {}),
    })
    const tools = [agentTool(sub, { name: 'helper' })]
    return createAgent({ model: scriptedModel([...model]), store, tools, ...(made.use ? { use: made.use } : {}) })
  }
  const caller = process(made.model ?? [helps, 'done'], [])
  const other = process([], made.helper ?? ['three'])
  runSubAgentsBy(caller, {
    async run(call) {
      calls.push(call)
      const tell = async (message: unknown) => {
        made.onTell?.(JSON.stringify(message))
        return { value: plain(await call.hear(plain(message))) }
      }
      const { conversationId, caller: of } = call
      const work = await workForCaller({ agent: other, conversationId, caller: of, by: `${calls.length}`, tell })
      if ('state' in work) return
      works.push(work)
      made.onWork?.(work)
      call.signal.addEventListener('abort', () => work.turn.interrupt(String(call.signal.reason)))
      await work.done
    },
  })
  return { caller, works, calls }
}

test('a sub-agent in another process answers its caller, and its usage counts there', async () => {
  const { caller, works } = twoProcesses({ helper: [echoes, { text: 'three', usage }] })
  const result = await caller.send('Go')
  expect(results(result.messages)).toMatchObject([{ status: 'ok', value: 'three' }])
  expect(result.usage).toMatchObject({ inputTokens: 6, outputTokens: 6 })
  expect(works).toHaveLength(1)
})

test('a conversation that was begun under the sub-agent’s id for no call is not worked on', async () => {
  const { driver } = memoryStore()
  const store = createStore(driver)
  const sub = createAgent({ name: 'helper', model: scriptedModel(['forged']), store })
  await sub.conversation('turn_1.c1').send('Mine.')
  const agent = createAgent({ model: scriptedModel([]), store, tools: [agentTool(sub, { name: 'helper' })] })
  const caller = { conversationId: 'c', turnId: 'turn_1', callId: 'c1', tool: 'helper' }
  const joined = { message: 'Echo', depth: 0, deepest: 5, waited: false, states: {}, usage }
  const tell = async () => ({ value: joined })
  const work = await workForCaller({ agent, conversationId: 'turn_1.c1', caller, by: '1', tell })
  expect(work).toMatchObject({ state: 'gone', reason: expect.stringContaining('was not begun for this call') })
})

test('events that a channel has refused to take reach the caller with the next', async () => {
  let isDown = true
  const onTell = (message: string) => {
    if (!isDown || !message.includes('tool.executing')) return
    isDown = false
    throw new Error('The channel is down.')
  }
  const { caller } = twoProcesses({ helper: [echoes, 'three'], onTell })
  const passed: string[] = []
  for await (const event of caller.send('Go')) if (event.type === 'agent.event') passed.push(event.event.type)
  expect(isDown).toBe(false)
  expect(passed.filter(type => type.startsWith('tool.'))).toEqual(['tool.pending', 'tool.executing', 'tool.completed'])
})

test('one whose log cannot be read at its end is told of no more', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const onWork = ({ conversation }: WorkForCaller) => {
    const { journal } = ConversationHandle.coreOf(conversation)
    if (journal) journal.endOf = () => Promise.reject(new Error('The store is down.'))
  }
  const { caller, works } = twoProcesses({ onWork })
  await caller.send('Go')
  await expect(works[0]?.done).rejects.toThrow('The store is down.')
  expect(vi.getTimerCount()).toBe(0)
})

test('its decisions are in the caller’s explain(), and the guards of the caller hold in it', async () => {
  const no = middleware({ name: 'no', guard: true, tools: ['echo'], beforeTool: () => block('no echo') })
  const { caller } = twoProcesses({ helper: [echoes, 'three'], use: [no] })
  const turn = caller.send('Go')
  await turn
  expect(turn.explain()).toMatchObject([{ directive: 'block', by: 'no', agent: { name: 'helper' } }])
})

test('a limit of the caller counts what both have used', async () => {
  const again = (n: number): ScriptedStep => ({ calls: [{ name: 'echo', args: { n } }], usage })
  const { caller } = twoProcesses({
    model: [{ ...(helps as object), usage }, 'not reached'],
    helper: [again(1), again(2), 'not reached'],
    use: [tokenLimit(18)],
  })
  const { status, by, messages } = await caller.send('Go')
  expect({ status, by }).toEqual({ status: 'stopped', by: 'token-limit' })
  expect(results(messages)).toMatchObject([{ status: 'error', value: expect.stringContaining('18 tokens') }])
})

test('a guard whose state changes at the caller while it decides, decides again', async () => {
  const seen: number[] = []
  const change: (() => void)[] = []
  const counts = middleware({
    name: 'counts',
    guard: true,
    state: { calls: 0 },
    beforeTool(ctx) {
      if (ctx.call.name === 'helper') {
        change.push(() => ctx.update(({ calls }) => ({ calls: calls + 10 })))
        return
      }
      seen.push(ctx.state.calls)
      ctx.update(({ calls }) => ({ calls: calls + 1 }))
      change.shift()?.()
    },
    afterTurn: ctx => void seen.push(ctx.state.calls),
  })
  const { caller } = twoProcesses({ helper: [echoes, 'three'], use: [counts] })
  await caller.send('Go')
  // Twice in the sub-agent, then the end of its turn, and that of the caller's.
  expect(seen).toEqual([0, 10, 11, 11])
})

function onlyTea(options: { readonly timeout?: number; readonly fallback?: unknown } = {}) {
  const answers: unknown[] = []
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      const check = (answer: unknown) => {
        if (answer !== 'tea') throw new Error('There is only tea.')
      }
      answers.push(await ctx.ask('order', 'What shall it be?', { check, ...options }))
    },
  })
  return { answers, asks }
}

test('a question of it is asked in the caller’s conversation; an answer that its asker refuses is asked for again, with the reason', async () => {
  const { answers, asks } = onlyTea()
  const { caller } = twoProcesses({ ofHelper: [asks] })
  const turn = caller.conversation('c').send('Go')
  const asked: string[] = []
  const reasons: unknown[] = []
  for await (const event of turn)
    if (event.type === 'request.opened') {
      asked.push(event.requestId)
      reasons.push(event.again)
      turn.answer(event.requestId, asked.length === 1 ? 'coffee' : 'tea')
    }
  expect(answers).toEqual(['tea'])
  expect(asked).toEqual([expect.stringContaining(turn.id), `${asked[0]}.again`])
  expect(reasons).toEqual([undefined, { requestId: asked[0], problem: 'There is only tea.' }])
})

test.each(['in the same process', 'in another'])(
  'a fallback is taken as it is when nobody has answered, whatever the asker’s check says, %s',
  async where => {
    const { answers, asks } = onlyTea({ timeout: 5, fallback: 'coffee' })
    const { caller } = twoProcesses(where === 'in another' ? { ofHelper: [asks] } : { model: ['done'], use: [asks] })
    const turn = caller.conversation('c').send('Go')
    const asked: string[] = []
    for await (const event of turn)
      if (event.type === 'request.opened' && asked.push(event.requestId) > 3) turn.interrupt('It is asked for ever.')
    expect(asked).toHaveLength(1)
    expect(answers).toEqual(['coffee'])
    expect(await turn).toMatchObject({ status: 'completed' })
  },
)

test('a question that was asked again is over when the sub-agent is interrupted', async () => {
  const { caller, works } = twoProcesses({ ofHelper: [onlyTea().asks] })
  const turn = caller.conversation('c').send('Go')
  const [asked, expired]: [string[], string[]] = [[], []]
  for await (const event of turn) {
    if (event.type === 'request.expired') expired.push(event.requestId)
    if (event.type !== 'request.opened') continue
    asked.push(event.requestId)
    if (asked.length === 1) turn.answer(event.requestId, 'coffee')
    else works[0]?.turn.interrupt('enough')
  }
  expect(expired).toEqual([`${asked[0]}.again`])
})

test('it is interrupted with its caller', async () => {
  const never = middleware({ name: 'never', beforeTurn: () => new Promise(() => {}) })
  const { caller, works } = twoProcesses({ ofHelper: [never] })
  const turn = caller.send('Go')
  await expect.poll(() => works.length).toBe(1)
  turn.interrupt('enough')
  expect((await turn).status).toBe('interrupted')
  expect(await works[0]?.turn.settled).toMatchObject({ status: 'interrupted', reason: 'enough' })
})

test('one whose guard waits for a caller that is gone ends when it is interrupted, and leaves its log to others', async () => {
  const { driver } = memoryStore()
  let isGone = false
  const cut = middleware({
    name: 'cut',
    beforeTool() {
      isGone = true
    },
  })
  const counts = middleware({ name: 'counts', guard: true, state: { calls: 0 }, beforeTool() {} })
  const process = (model: readonly ScriptedStep[], helper: readonly ScriptedStep[]) => {
    const store = createStore(driver)
    const tools = [tool({ name: 'echo', run: args => args })]
    const sub = createAgent({ name: 'helper', model: scriptedModel([...helper]), store, tools, use: [cut] })
    const agent = createAgent({
      model: scriptedModel([...model]),
      store,
      tools: [agentTool(sub, { name: 'helper' })],
      use: [counts],
    })
    return { agent, sub }
  }
  const [caller, other, third] = [process([helps], []), process([], [echoes]), process([], ['again'])]
  const ended: string[] = []
  runSubAgentsBy(caller.agent, {
    async run({ conversationId, caller: of, hear }) {
      const tell = async (message: unknown) =>
        isGone ? new Promise<undefined>(() => {}) : { value: plain(await hear(plain(message))) }
      const work = await workForCaller({ agent: other.agent, conversationId, caller: of, by: '1', tell })
      if ('state' in work) return
      await expect.poll(() => isGone).toBe(true)
      work.hangUp()
      work.turn.interrupt('its caller has ended')
      await work.done
      ended.push(conversationId)
    },
  })
  const turn = caller.agent.send('Go')
  await expect.poll(() => ended).toHaveLength(1)
  const conversation = await third.sub.open(ended[0] ?? '')
  expect(await conversation.send('Hello')).toMatchObject({ status: 'completed', text: 'again' })
  turn.interrupt()
})

test('one that failed elsewhere is tried again, from its beginning', async () => {
  const { caller, works } = twoProcesses({ helper: [{ error: 'down' }, 'three'], use: [toolRetry({ baseMs: 0 })] })
  expect(results((await caller.send('Go')).messages)).toMatchObject([{ status: 'ok', value: 'three' }])
  expect(works).toHaveLength(2)
})

test('a caller that is gone leaves its sub-agent to the log', async () => {
  const never = middleware({ name: 'never', beforeTurn: () => new Promise(() => {}) })
  const { caller, works, calls } = twoProcesses({ ofHelper: [never] })
  const turn = caller.conversation('c').send('Go')
  await expect.poll(() => works.length).toBe(1)
  turn.park()
  await calls[0]?.left
  await expect(calls[0]?.hear({ type: 'join', by: 'late' })).rejects.toMatchObject({ code: 'caller.left' })
  await works[0]?.lost
  works[0]?.turn.park()
  await works[0]?.done
})

test('a turn with middleware of its own keeps its sub-agents', async () => {
  const { caller, calls } = twoProcesses({})
  const own = middleware({ name: 'own' })
  await caller.send('Go', { use: [own] }).settled
  expect(calls).toEqual([])
})

test('a sub-agent whose process was lost before its log had the turn is begun once, for its caller', async () => {
  const { driver } = memoryStore()
  const make = (own: typeof driver, model: readonly ScriptedStep[], helper: readonly ScriptedStep[]) => {
    const store = createStore(own, { leaseMs: own === driver ? 10_000 : 50 })
    const sub = createAgent({ name: 'helper', model: scriptedModel([...helper]), store })
    return createAgent({ model: scriptedModel([...model]), store, tools: [agentTool(sub, { name: 'helper' })] })
  }
  let lose: () => void = () => {}
  const lost = new Promise<void>(resolve => {
    lose = resolve
  })
  /** The driver of a process that dies when it is about to write the beginning of the turn. */
  const dying = new Proxy(driver, {
    get(_, name: keyof typeof driver) {
      if (name === 'renew') return () => false
      const own = driver[name]
      if (name !== 'commit') return typeof own === 'function' ? own.bind(driver) : own
      return (given: Parameters<typeof driver.commit>[0]) => {
        if (!given.records.some(({ type }) => type === 'turn.started')) return driver.commit(given)
        lose()
        return new Promise(() => {})
      }
    },
  })
  const caller = make(driver, [helps, 'done'], [])
  runSubAgentsBy(caller, {
    async run(call) {
      const tell = async (message: unknown) => ({ value: plain(await call.hear(plain(message))) })
      const work = { conversationId: call.conversationId, caller: call.caller, tell }
      void workForCaller({ ...work, agent: make(dying, [], ['lost']), by: 'one' })
      await lost
      await new Promise(resolve => setTimeout(resolve))
      const other = await workForCaller({ ...work, agent: make(driver, [], ['three']), by: 'two' })
      if (!('state' in other)) await other.done
    },
  })
  const conversation = caller.conversation()
  const started: unknown[] = []
  conversation.subscribe(event => event.type === 'agent.started' && started.push(event))
  expect(results((await conversation.send('Go')).messages)).toMatchObject([{ status: 'ok', value: 'three' }])
  expect(started).toHaveLength(1)
})
