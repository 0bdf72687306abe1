import { agentTool, createAgent, middleware, tool } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const echo = tool({ name: 'echo', run: args => args })
const callsEcho: ScriptedStep = { calls: [{ name: 'echo', args: { n: 1 } }] }
const callsChild: ScriptedStep = { calls: [{ id: 'c1', name: 'child', args: { task: 'count' } }] }
const results = (messages: readonly { content: readonly { type: string }[] }[]) =>
  messages.flatMap(({ content }) => content).filter(({ type }) => type === 'result')

const parks = middleware({ name: 'parks', beforeTool: ctx => ctx.turn.park() })
/** A process that dies between its sub-agent's end and that of the call. */
const diesBehindCall = middleware({
  name: 'dies-behind-call',
  async wrapTool(ctx, next) {
    await next().catch(() => {})
    ctx.turn.park()
    return new Promise(() => {})
  },
})

test.each([
  { what: 'ended', script: ['forged'] as ScriptedStep[] },
  { what: 'was left unfinished', script: [callsEcho, 'forged'] as ScriptedStep[] },
])(
  'what a person has said in a sub-agent’s conversation after its end is not the result of the call: it $what',
  async ({ script }) => {
    const store = memoryStore()
    const child = (...steps: ScriptedStep[]) =>
      createAgent({ name: 'child', model: scriptedModel(steps), store, tools: [echo] })
    const caller = (steps: ScriptedStep[], sub: ReturnType<typeof child>, use: [] | [typeof diesBehindCall]) =>
      createAgent({ model: scriptedModel(steps), store, tools: [agentTool(sub, { name: 'child' })], use })
    await caller([callsChild], child('three'), [diesBehindCall]).conversation('c').send('Go.', { id: 't' }).settled
    const person = createAgent({ model: scriptedModel(script), store, tools: [echo], use: [parks] })
    await (await person.open('t.c1')).send('Say something else.').settled
    await person.close()
    const result = await caller(['done'], child('not asked'), []).resume('c')
    expect(results(result?.messages ?? [])).toMatchObject([{ status: 'ok', value: 'three' }])
    // The person's own turn is nobody else's to go on with.
    expect((await store.turns({ conversation: 't.c1' })).map(({ status }) => status)).toEqual([
      'completed',
      script.length > 1 ? 'open' : 'completed',
    ])
  },
)

test('a sub-agent that was left goes on with its own turn, whatever a person has said beside it', async () => {
  const store = memoryStore()
  const hangs = middleware({ name: 'hangs', wrapTool: () => new Promise(() => {}) })
  const child = (steps: ScriptedStep[], use: [] | [typeof hangs]) =>
    createAgent({ name: 'child', model: scriptedModel(steps), store, tools: [echo], use })
  const caller = (steps: ScriptedStep[], sub: ReturnType<typeof child>) =>
    createAgent({ model: scriptedModel(steps), store, tools: [agentTool(sub, { name: 'child' })] })
  const turn = caller([callsChild], child([callsEcho], [hangs]))
    .conversation('c')
    .send('Go.', { id: 't' })
  for await (const event of turn) {
    const news = event.type === 'agent.event' ? event.event : undefined
    if (news?.type !== 'message.added' || news.role !== 'assistant') continue
    turn.park()
    break
  }
  await turn.settled
  const person = createAgent({ model: scriptedModel(['forged']), store, tools: [echo] })
  await (await person.open('t.c1')).fork(null).send('Say something else.').settled
  await person.close()
  const result = await caller(['done'], child(['three'], [])).resume('c')
  expect(results(result?.messages ?? [])).toMatchObject([{ status: 'ok', value: 'three' }])
})
