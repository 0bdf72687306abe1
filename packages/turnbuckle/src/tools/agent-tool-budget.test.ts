import { type Agent, agentTool, type Clock, createAgent, middleware, pipeline, stage, tool } from 'turnbuckle'
import { tokenLimit } from 'turnbuckle/middleware'
import { type ScriptedStep, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const echo = tool({ name: 'echo', run: args => args })
const callsChild: ScriptedStep = { calls: [{ name: 'child', args: { task: 'count' } }] }
const callsEcho: ScriptedStep = { calls: [{ name: 'echo', args: { n: 1 } }] }
const results = (messages: readonly { content: readonly unknown[] }[]) =>
  messages.flatMap(({ content }) => content).filter(part => (part as { type: string }).type === 'result')
const root = (child: Agent, options: object = {}, agent: object = {}) =>
  createAgent({
    model: scriptedModel([callsChild, 'done']),
    tools: [agentTool(child, { name: 'child', ...options })],
    ...agent,
  })

test.each<{ what: string; child: () => Agent; options: object; says: string }>([
  {
    what: 'spends its tokens',
    child: () =>
      createAgent({
        model: scriptedModel([{ calls: [{ name: 'echo' }], usage: { inputTokens: 6, outputTokens: 4 } }, 'x']),
        tools: [echo],
      }),
    options: { budget: { tokens: 10 } },
    says: '10 tokens',
  },
  {
    what: 'does not say what it uses',
    child: () =>
      createAgent({
        model: scriptedModel([({ messages }) => ({ calls: [{ name: 'echo', args: { n: messages.length } }] })], {
          repeat: true,
        }),
        tools: [echo],
      }),
    options: { budget: { tokens: 200 } },
    says: '200 tokens',
  },
  {
    what: 'has a budget that cannot be kept',
    child: () =>
      createAgent({
        model: scriptedModel([{ calls: [{ name: 'echo' }], usage: { inputTokens: 6, outputTokens: 4 } }, 'x']),
        tools: [echo],
      }),
    options: { budget: { cost: 1 } },
    says: 'not known',
  },
])('a sub-agent that $what is an error result, and its caller goes on', async ({ child, options, says }) => {
  const { messages, text, status } = await root(child(), options).send('go')
  expect(results(messages)).toMatchObject([{ status: 'error', value: expect.stringContaining(says) }])
  expect({ text, status }).toEqual({ text: 'done', status: 'completed' })
})

test.each<{ what: string; child: (clock: Clock) => Agent }>([
  {
    what: 'its model',
    child: clock =>
      createAgent({
        clock,
        model: {
          id: 'stuck',
          async *stream() {
            await new Promise(() => {})
          },
        },
      }),
  },
  {
    what: 'a tool of its own',
    child: clock =>
      createAgent({
        clock,
        model: scriptedModel([callsEcho, 'x']),
        tools: [tool({ name: 'echo', run: () => new Promise(() => {}) })],
      }),
  },
  ...(['beforeTurn', 'beforeModel', 'afterDecide'] as const).map(hook => ({
    what: `its ${hook}`,
    child: (clock: Clock) =>
      createAgent({
        clock,
        model: scriptedModel(['x']),
        use: [middleware({ name: 'hangs', [hook]: () => new Promise(() => {}) })],
      }),
  })),
  {
    what: 'a stage of its own',
    child: clock =>
      createAgent({
        clock,
        model: scriptedModel(['x']),
        pipeline: pipeline().after('model', stage({ name: 'hangs', run: () => new Promise(() => {}) })),
      }),
  },
])('the time of its budget ends a sub-agent that hangs in $what', async ({ child }) => {
  const clock = virtualClock()
  const turn = root(child(clock), { budget: { ms: 1000 } }, { clock }).send('go')
  await clock.advance(1000)
  const { messages, status } = await turn
  expect(results(messages)).toMatchObject([
    { status: 'error', value: expect.stringMatching(/^child was stopped: 1000 ms/) },
  ])
  expect(status).toBe('completed')
})

test('hooks that clean up after a model call that was cut off have their time, and no more', async () => {
  const clock = virtualClock()
  const stuck = {
    id: 'stuck',
    async *stream() {
      await new Promise(() => {})
    },
  }
  const hangs = middleware({ name: 'hangs', afterModel: () => new Promise(() => {}) })
  const child = createAgent({ clock, model: stuck, use: [hangs] })
  const turn = root(child, { budget: { ms: 1000 } }, { clock, cleanupMs: 300 }).send('go')
  await clock.advance(1299)
  expect(turn.ended).toBe(false)
  await clock.advance(1)
  expect(results((await turn).messages)).toMatchObject([{ status: 'error', value: expect.stringContaining('1000 ms') }])
})

test('time that is up ends the sub-agent too', async () => {
  const clock = virtualClock()
  const child = createAgent({ model: scriptedModel([{ text: 'late', delayMs: 5000 }], { clock }), clock })
  const turn = root(child, { timeout: 1000 }, { clock }).send('go')
  await clock.advance(1000)
  expect(results((await turn).messages)).toMatchObject([{ status: 'timeout' }])
  expect(clock.timers).toBe(0)
})

test('usage of a sub-agent counts for its caller', async () => {
  const usage = { inputTokens: 3, outputTokens: 4 }
  const result = await root(createAgent({ model: scriptedModel([{ text: 'x', usage }]) })).send('go')
  expect(result.usage).toMatchObject(usage)
})

test('a limit of the caller ends the sub-agent, with what both have used', async () => {
  const usage = { inputTokens: 3, outputTokens: 3 }
  const model = scriptedModel([{ calls: [{ name: 'echo' }], usage }, 'not reached'])
  const child = createAgent({ model, tools: [echo] })
  const agent = createAgent({
    model: scriptedModel([{ calls: [{ name: 'child', args: { task: 't' } }], usage }, 'not reached']),
    tools: [agentTool(child, { name: 'child' })],
    use: [tokenLimit(12)],
  })
  const { status, by, messages } = await agent.send('go')
  expect({ status, by }).toEqual({ status: 'stopped', by: 'token-limit' })
  expect(model.prompts).toHaveLength(1)
  expect(results(messages)).toMatchObject([{ status: 'error', value: expect.stringContaining('12 tokens') }])
})
