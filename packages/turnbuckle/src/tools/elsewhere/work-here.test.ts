import {
  type Agent,
  agentTool,
  type CreateAgentOptions,
  createAgent,
  type Event,
  middleware,
  type Turn,
  tool,
} from 'turnbuckle'
import { tokenLimit, toolLimit } from 'turnbuckle/middleware'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { type ScriptedReply, type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { runSubAgentsBy, type SubAgentCall, type WorkForCaller, workForCaller } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

type Use = CreateAgentOptions['use']
type Steps = readonly ScriptedStep[]
type Level = 'top' | 'middle' | 'lowest'
interface Made {
  readonly steps?: Partial<Record<Level, Steps>>
  readonly use?: Partial<Record<Level, Use>>
  /** The rules of the middle agent. */
  readonly rules?: { readonly deny?: readonly string[] }
  /** The topmost agent's. */
  readonly maxDepth?: number
  readonly repeat?: boolean
  readonly echo?: (args: unknown) => unknown
  /** Awaited before a message to a caller, and before its answer comes back. */
  readonly hop?: () => Promise<void>
  /** The process that works on a call: each has one of its own by default. */
  readonly choose?: (call: SubAgentCall, count: number) => number
  readonly processes?: number
}
interface Worked {
  readonly call: SubAgentCall
  readonly work: WorkForCaller
}

const usage = { inputTokens: 3, outputTokens: 1 }
const calls = (name: string, args: object = {}): ScriptedStep => ({ calls: [{ name, args }], usage })
const [toMiddle, toLowest, echoes] = [
  calls('middle', { task: 'Ask below' }),
  calls('lowest', { task: 'Echo' }),
  calls('echo'),
]
const says = (text: string): ScriptedStep => ({ text, usage })
const plain = (data: unknown): unknown => JSON.parse(JSON.stringify(data))
const results = (messages: readonly { content: readonly unknown[] }[]) =>
  messages.flatMap(({ content }) => content).filter(part => (part as { type: string }).type === 'result')

/** Processes on one store. The first has the topmost turn; the sub-agents of every level are worked on by others. */
function processes(made: Made) {
  const { driver } = memoryStore()
  const worked: Worked[] = []
  const { steps = {}, use = {}, processes: count = 3 } = made
  const own: Record<Level, Steps> = {
    top: steps.top ?? [toMiddle, says('done')],
    middle: steps.middle ?? [toLowest, says('two')],
    lowest: steps.lowest ?? [echoes, says('three')],
  }
  const isOf = (process: number, level: Level) => made.repeat || process === ['top', 'middle', 'lowest'].indexOf(level)
  const agents = Array.from({ length: count }, (_, process): Agent => {
    const store = createStore(driver)
    const at = (level: Level) => ({
      store,
      model: scriptedModel(isOf(process, level) ? [...own[level]] : [], { repeat: made.repeat ?? false }),
      ...(use[level] ? { use: use[level] } : {}),
    })
    const echo = tool({ name: 'echo', run: args => (made.echo ? made.echo(args) : 'echoed') })
    const lowest = createAgent({ name: 'lowest', ...at('lowest'), tools: [echo] })
    const middle = createAgent({
      name: 'middle',
      ...at('middle'),
      tools: [echo, agentTool(lowest, { name: 'lowest' })],
    })
    const tools = [echo, agentTool(middle, { name: 'middle', ...made.rules })]
    return createAgent({ ...at('top'), tools, maxDepth: made.maxDepth ?? 8 })
  })
  let tries = 0
  const runner = {
    async run(call: SubAgentCall) {
      const { conversationId, caller } = call
      const process = made.choose?.(call, tries) ?? (caller.above ? 2 : 1)
      const tell = async (message: unknown) => {
        await made.hop?.()
        const value = plain(await call.hear(plain(message)))
        await made.hop?.()
        return { value }
      }
      const agent = agents[process] as Agent
      const work = await workForCaller({ agent, conversationId, caller, by: `${++tries}`, tell })
      if ('state' in work) return
      worked.push({ call, work })
      void call.left.then(() => work.hangUp())
      void work.lost.then(() => work.turn.park())
      call.signal.addEventListener('abort', () => work.turn.interrupt(String(call.signal.reason)))
      await work.done
    },
  }
  for (const agent of agents) runSubAgentsBy(agent, runner)
  const [top] = agents as [Agent]
  return { top, agents, worked, store: createStore(driver) }
}
const never = middleware({ name: 'never', beforeTurn: () => new Promise(() => {}) })

test('a sub-agent of a sub-agent is worked on in a process of its own; its usage counts at every level', async () => {
  const { top, worked, store } = processes({})
  const turn = top.conversation('c').send('Go')
  const result = await turn
  expect(results(result.messages)).toMatchObject([{ status: 'ok', value: 'two' }])
  expect(result.usage).toMatchObject({ inputTokens: 18, outputTokens: 6 })
  const [middle, lowest] = worked
  expect(worked).toHaveLength(2)
  expect(lowest?.call.caller).toMatchObject({
    turnId: middle?.work.turn.id,
    above: { turnId: turn.id, tool: 'middle' },
  })
  expect(middle?.work.turn.usage).toMatchObject({ inputTokens: 12, outputTokens: 4 })
  expect(await store.turns({ status: 'open' })).toEqual([])
})

test('events of the lowest reach the topmost in order, nested', async () => {
  const { top } = processes({})
  const heard: string[] = []
  for await (const event of top.send('Go')) {
    const below = event.type === 'agent.event' && event.event.type === 'agent.event' ? event.event.event : undefined
    if (below && !below.type.startsWith('message.')) heard.push(below.type)
  }
  const tools = ['tool.pending', 'tool.executing', 'tool.completed']
  expect(heard.filter(type => type.startsWith('tool.') || type.startsWith('turn.'))).toEqual([
    'turn.started',
    ...tools,
    'turn.completed',
  ])
})

test('guards of two levels with one name have a state each, and those of the topmost are told what the lowest decides', async () => {
  const seen: Record<string, number[]> = { top: [], middle: [] }
  const counts = (level: string) =>
    middleware({
      name: 'counts',
      guard: true,
      state: { calls: 0 },
      beforeTool: ctx => ctx.update(({ calls }) => ({ calls: calls + 1 })),
      afterTurn: ctx => void seen[level]?.push(ctx.state.calls),
    })
  const { top } = processes({ use: { top: [counts('top')], middle: [counts('middle')] } })
  await top.send('Go')
  // At the end of the lowest, of the middle and of the topmost turn.
  expect(seen).toEqual({ top: [3, 3, 3], middle: [2, 2] })
})

test('a guard of the topmost whose state changes there while it decides in the lowest, decides again', async () => {
  const seen: number[] = []
  const change: (() => void)[] = []
  const counts = middleware({
    name: 'counts',
    guard: true,
    state: { calls: 0 },
    beforeTool(ctx) {
      if (ctx.call.name === 'middle') change.push(() => ctx.update(({ calls }) => ({ calls: calls + 10 })))
      if (ctx.call.name !== 'echo') return
      seen.push(ctx.state.calls)
      ctx.update(({ calls }) => ({ calls: calls + 1 }))
      change.shift()?.()
    },
    afterTurn: ctx => void seen.push(ctx.state.calls),
  })
  const { top } = processes({ use: { top: [counts] } })
  await top.send('Go')
  expect(seen).toEqual([0, 10, 11, 11, 11])
})

test.each(['top', 'middle'] as const)('a token limit of the %s counts what all below it have used', async level => {
  const again = (n: number): ScriptedStep => calls('echo', { n })
  const { top, worked } = processes({
    steps: { lowest: [again(1), again(2), again(3), again(4), says('not reached')] },
    // The topmost has used four when the middle one begins, and the middle one four when the lowest does.
    use: { [level]: [tokenLimit(level === 'top' ? 16 : 12)] },
  })
  const { status } = await top.send('Go')
  const ended = await worked[0]?.work.turn.settled
  expect(level === 'top' ? status : ended?.status).toBe('stopped')
  expect(worked[1]?.work.turn.usage).toMatchObject({ inputTokens: 6, outputTokens: 2 })
})

test('rules that the middle one was called with hold below it, and the topmost explains it', async () => {
  const { top } = processes({ rules: { deny: ['echo'] } })
  const turn = top.send('Go')
  await turn
  expect(turn.explain()).toMatchObject([{ directive: 'block', by: 'middle.limits', agent: { name: 'lowest' } }])
})

test('a question of the lowest is asked at the topmost, again where its asker refuses the answer', async () => {
  const answers: unknown[] = []
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      const check = (answer: unknown) => {
        if (answer !== 'tea') throw new Error('There is only tea.')
      }
      answers.push(await ctx.ask('order', 'What shall it be?', { check }))
    },
  })
  const { top, store } = processes({ use: { lowest: [asks] } })
  const turn = top.conversation('c').send('Go')
  const asked: string[] = []
  for await (const event of turn)
    if (event.type === 'request.opened') {
      asked.push(event.requestId)
      turn.answer(event.requestId, asked.length === 1 ? 'coffee' : 'tea')
    }
  expect(answers).toEqual(['tea'])
  expect(asked).toEqual([expect.stringContaining(turn.id), `${asked[0]}.again`])
  const opened = (await store.events('c')).filter(({ type }: Event) => type === 'request.opened')
  expect(opened).toHaveLength(2)
})

test('who answers a question of the lowest by itself does so once the topmost has opened it', async () => {
  let slow = 0
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      const onOpen = (id: string) => ctx.turn.answer(id, 'tea')
      await ctx.ask('order', 'What shall it be?', { onOpen } as object)
    },
  })
  // The way from the middle one to the topmost takes longer than that from the lowest.
  const hop = () => new Promise<void>(resolve => setTimeout(resolve, slow++ % 7))
  const { top } = processes({ use: { lowest: [asks] }, hop })
  expect(await top.conversation('c').send('Go')).toMatchObject({ status: 'completed' })
})

test('an interrupt of the topmost ends those below', async () => {
  const { top, worked } = processes({ use: { lowest: [never] } })
  const turn = top.send('Go')
  await expect.poll(() => worked.length).toBe(2)
  turn.interrupt('enough')
  expect((await turn).status).toBe('interrupted')
  for (const { work } of worked)
    expect(await work.turn.settled).toMatchObject({ status: 'interrupted', reason: 'enough' })
  await Promise.all(worked.map(({ work }) => work.done))
})

test('a topmost turn that is left to its log leaves all below, and they go on with it', async () => {
  let isFirst = true
  const stops = middleware({
    name: 'stops',
    async beforeTurn() {
      if (isFirst) await new Promise(() => {})
    },
  })
  const { top, agents, worked, store } = processes({ use: { lowest: [stops] } })
  const turn = top.conversation('c').send('Go')
  await expect.poll(() => worked.length).toBe(2)
  turn.park()
  await Promise.all(worked.map(({ work }) => work.done))
  expect(await store.turns({ status: 'open' })).toHaveLength(3)
  const late = worked[1]?.call.hear({ type: 'join', by: 'late' })
  await expect(late).rejects.toMatchObject({ code: 'caller.left' })
  isFirst = false
  await agents[0]?.open('c')
  expect(await agents[0]?.resume('c')).toMatchObject({ status: 'completed' })
  expect(worked).toHaveLength(4)
  expect(await store.turns({ status: 'open' })).toEqual([])
})

test.each(['at once', 'after the topmost was left and goes on'])(
  'a depth that the topmost does not allow is no order but an error for the middle one, %s',
  async when => {
    let isStopped = when !== 'at once'
    const stops = middleware({
      name: 'stops',
      async beforeStep() {
        if (isStopped) await new Promise(() => {})
      },
    })
    const { top, worked } = processes({ maxDepth: 1, use: { middle: [stops] } })
    let turn: Turn | undefined = top.conversation('c').send('Go')
    if (isStopped) {
      await expect.poll(() => worked.length).toBe(1)
      await worked[0]?.work.turn.began
      turn.park()
      await worked[0]?.work.done
      isStopped = false
      await top.open('c')
      turn = top.resume('c')
    }
    expect(await turn).toMatchObject({ status: 'completed' })
    const ended = await worked.at(-1)?.work.turn.settled
    expect(results(ended?.messages ?? [])).toMatchObject([
      { status: 'error', value: expect.stringContaining('2 deep') },
    ])
    expect(worked.every(({ call }) => call.caller.tool === 'middle')).toBe(true)
  },
)

test('a middle one that has lost its caller leaves the lowest, and its call stays open in the log', async () => {
  const { top, worked, store } = processes({ use: { lowest: [never] } })
  const turn = top.conversation('c').send('Go')
  await expect.poll(() => worked.length).toBe(2)
  const [middle, lowest] = worked
  middle?.work.hangUp()
  await Promise.all(worked.map(({ work }) => work.done))
  expect(lowest?.work.turn.ended).toBe(true)
  const log = await store.events(middle?.work.conversation.id ?? '')
  expect(log.some(({ type }) => (type as string) === 'tool.failed' || type === 'tool.completed')).toBe(false)
  turn.interrupt()
  await turn
})

test('a limit that three levels on several machines share is exact, however their messages come', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = mulberry(seed)
    const below = (n: number) => Math.floor(random() * n)
    const limit = 5 + below(12)
    let ran = 0
    const many = (name: string, count: number, args: object = {}) =>
      Array.from({ length: count }, (_, i) => ({ name, id: `${name}${i}`, args }))
    const script = (first: ScriptedReply): Steps => [
      ({ messages }) => (messages.some(({ role }) => role === 'assistant') ? 'done' : first),
    ]
    const { top, worked } = processes({
      repeat: true,
      processes: 4,
      choose: () => below(4),
      hop: async () => {
        for (let i = below(4); i > 0; i--) await new Promise(resolve => setImmediate(resolve))
      },
      echo: () => void ran++,
      use: { top: [toolLimit(limit)] },
      steps: {
        top: script({ calls: [...many('middle', 2, { task: 'Go' }), ...many('echo', 2)] }),
        middle: script({ calls: [...many('lowest', 2, { task: 'Go' }), ...many('echo', 3)] }),
        lowest: script({ calls: many('echo', 4) }),
      },
    })
    expect(await top.send('Go')).toMatchObject({ status: 'completed' })
    // Those who were called count as well: in all there are 30 calls.
    expect({ seed, counted: ran + worked.length }).toEqual({ seed, counted: limit })
  }
})

/** Numbers from 0 to 1 that a seed repeats. */
function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
