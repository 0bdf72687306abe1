import { block, createAgent, middleware, TurnbuckleError, tool } from 'turnbuckle'
import { errorPolicy } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const broken = tool({
  name: 'broken',
  run() {
    throw new Error('no')
  },
})
const fine = tool({ name: 'fine', run: () => 'ok' })
const calling = (name: string) => scriptedModel([{ calls: [{ name }] }, 'done'])
const failing = (error: unknown) => scriptedModel([{ text: 'so far', error }])
const blocking = middleware({ name: 'blocking', tools: ['fine'], beforeTool: () => block('not here') })
const limited = Object.assign(new Error('slow down'), { status: 429 })
const late = new TurnbuckleError('x.late', 'late', { kind: 'timeout' })

describe('errorPolicy', () => {
  test.each([
    { title: 'a tool error is told by default', policy: {}, model: () => calling('broken'), status: 'completed' },
    { title: 'a tool error can stop', policy: { tool: 'stop' }, model: () => calling('broken'), status: 'failed' },
    { title: 'a blocked call is told by default', policy: {}, model: () => calling('fine'), status: 'completed' },
    {
      title: 'a blocked call can stop',
      policy: { toolBlocked: 'stop' },
      model: () => calling('fine'),
      status: 'failed',
    },
    { title: 'wrong tools can stop', policy: { validation: 'stop' }, model: () => calling('none'), status: 'failed' },
    { title: 'a model error stops by default', policy: {}, model: () => failing(new Error('x')), status: 'failed' },
    {
      title: 'a model error can be ignored',
      policy: { model: 'ignore' },
      model: () => failing(new Error('x')),
      status: 'completed',
    },
    {
      title: 'by kind: a rate limit',
      policy: { rateLimit: 'ignore' },
      model: () => failing(limited),
      status: 'completed',
    },
    {
      title: 'by kind: a time-out',
      policy: { timeout: 'ignore', model: 'stop' },
      model: () => failing(late),
      status: 'completed',
    },
    {
      title: 'another kind is not meant',
      policy: { rateLimit: 'ignore' },
      model: () => failing(late),
      status: 'failed',
    },
  ] as const)('$title', async ({ policy, model, status }) => {
    const agent = createAgent({ model: model(), tools: [broken, fine], use: [blocking, errorPolicy(policy)] })
    expect((await agent.send('go').settled).status).toBe(status)
  })

  test('ignoring a model error keeps what was said', async () => {
    const use = [errorPolicy({ model: 'ignore' })]
    expect((await createAgent({ model: failing(new Error('x')), use }).send('go')).text).toBe('so far')
  })

  test("it overrules the agent's own policy for tools", async () => {
    const use = [errorPolicy({ tool: 'ignore' })]
    const agent = createAgent({ model: calling('broken'), tools: [broken], errors: { tool: 'stop' }, use })
    expect((await agent.send('go').settled).status).toBe('completed')
  })

  test("a guard's failure is never ignored", async () => {
    const guard = middleware({
      name: 'guard',
      guard: true,
      beforeModel() {
        throw new Error('broken')
      },
    })
    const use = [guard, errorPolicy({ hook: 'ignore', model: 'ignore', unknown: 'ignore' })]
    expect((await createAgent({ model: scriptedModel(['hi']), use }).send('go').settled).status).toBe('failed')
  })
})
