import {
  agentTool,
  type Call,
  type CreateAgentOptions,
  createAgent,
  goto,
  type Middleware,
  middleware,
  performancePipeline,
  pipeline,
  tool,
} from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

type Needs = boolean | ((args: { amount: number }) => boolean | Promise<boolean>)

/** An agent with a tool that pays, whose questions are answered one after the other; after the last answer nobody answers. */
function paying(needsApproval: Needs, answers: readonly object[], options: Partial<CreateAgentOptions> = {}) {
  const paid: number[] = []
  const asked: string[] = []
  const input = z.object({ amount: z.number() })
  const pay = tool({ name: 'pay', description: 'Pays.', input, needsApproval, run: ({ amount }) => paid.push(amount) })
  const model = scriptedModel([{ calls: [{ name: 'pay', id: 'c1', args: { amount: 5 } }] }, 'Done'])
  const agent = createAgent({ model, tools: [pay], ...options })
  const run = async () => {
    const turn = agent.send('Pay')
    for await (const event of turn)
      if (event.type === 'request.opened') {
        asked.push(event.requestId)
        const answer = answers[asked.length - 1]
        if (answer) await turn.answer(event.requestId, answer)
        else turn.expire(event.requestId)
      }
    const { messages } = await turn.settled
    return messages.flatMap(({ content }) => content).find(part => part.type === 'result')
  }
  return { agent, pay, run, paid, asked }
}
const yes = { decision: 'allow' }
const no = { decision: 'deny', reason: 'Not today.' }

describe('a tool that needs approval', () => {
  test.each([
    { name: 'runs after a yes', answers: [yes], result: { status: 'ok' }, paid: [5] },
    { name: 'is denied by a no', answers: [no], result: { status: 'denied', value: 'Not today.' }, paid: [] },
    { name: 'is denied where nobody answers', answers: [], result: { status: 'denied' }, paid: [] },
    {
      name: 'runs with the arguments that a person gave, without another question',
      answers: [{ ...yes, args: { amount: 3 } }],
      result: { status: 'ok', args: { amount: 3 } },
      paid: [3],
    },
  ])('$name, with no approval middleware on', async ({ answers, result, paid }) => {
    const run = paying(true, answers)
    expect(await run.run()).toMatchObject(result)
    expect(run.paid).toEqual(paid)
    expect(run.asked).toHaveLength(1)
  })

  test.each<{ name: string; needs: Needs; asked: number; status: string }>([
    { name: 'false', needs: false, asked: 0, status: 'ok' },
    { name: 'a function that says no', needs: ({ amount }) => amount > 100, asked: 0, status: 'ok' },
    { name: 'a function that says yes', needs: ({ amount }) => amount > 1, asked: 1, status: 'ok' },
    { name: 'a function that answers later', needs: async ({ amount }) => amount > 1, asked: 1, status: 'ok' },
    { name: 'a function that fails', needs: () => Promise.reject(new Error('?')), asked: 0, status: 'blocked' },
  ])('decided by $name', async ({ needs, asked, status }) => {
    const run = paying(needs, [yes])
    expect(await run.run()).toMatchObject({ status })
    expect(run.asked).toHaveLength(asked)
  })

  test('takes true, false or a function', () => {
    const wrong = { name: 'pay', needsApproval: 'yes', run: () => 1 } as never
    expect(() => tool(wrong)).toThrow('`needsApproval` of "pay" is true, false, or a function of the arguments.')
  })
})

describe('the question holds as a guard does', () => {
  const strict = performancePipeline()
  const other = pipeline()
  const jump = middleware({
    name: 'jump',
    state: 0,
    afterModel(ctx) {
      ctx.update(times => times + 1)
      return ctx.state === 1 ? goto(other) : undefined
    },
  })
  const raise = (ctx: { call: Call }) => {
    ctx.call = { ...ctx.call, args: { amount: 50 } }
  }
  test.each<{ name: string; options: Partial<CreateAgentOptions> }>([
    { name: 'a pipeline without hooks', options: { pipeline: strict } },
    { name: 'a soft mode for hooks', options: { errors: { hook: 'ignore', toolBlocked: 'ignore' } } },
    { name: 'a hook that changes the call', options: { use: [middleware({ name: 'raise', beforeTool: raise })] } },
    {
      name: 'a wrap that changes the call',
      options: {
        use: [middleware({ name: 'wrap', wrapTool: (ctx, next) => next({ ...ctx.call, args: { amount: 50 } }) })],
      },
    },
  ])('with $name', async ({ options }) => {
    const run = paying(true, [no], options)
    expect(await run.run()).toMatchObject({ status: 'denied' })
    expect(run.paid).toEqual([])
  })

  test('behind goto(pipeline)', async () => {
    const run = paying(true, [no], {
      use: [jump],
      model: scriptedModel(['Hm', { calls: [{ name: 'pay', args: { amount: 5 } }] }, 'Done']),
    })
    expect(await run.run()).toMatchObject({ status: 'denied' })
    expect(run.paid).toEqual([])
  })

  test('in a sub-agent, whose question surfaces at the caller', async () => {
    const child = paying(true, [])
    const model = scriptedModel([{ calls: [{ name: 'child', args: { task: 'Pay.' } }] }, 'Done'])
    const agent = createAgent({ model, tools: [agentTool(child.agent, { name: 'child' })] })
    const turn = agent.send('Go')
    for await (const event of turn)
      if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'deny' })
    expect(child.paid).toEqual([])
  })

  test('for a tool that a middleware brings, while it is on', async () => {
    const { pay } = paying(true, [])
    const brings = middleware({ name: 'brings', provides: [pay] })
    const agent = createAgent({ model: scriptedModel(['Hi']), use: [brings], breaker: false })
    expect(agent.hooks('beforeTool')).toMatchObject([{ middleware: 'needsApproval', guard: true, enabled: true }])
    agent.disable('brings')
    expect(agent.hooks('beforeTool')).toEqual([])
  })

  test('nobody can switch it off, and it is behind all other guards', () => {
    const guard = middleware({ name: 'guard', guard: true, priority: 9000, beforeTool: () => {} })
    const { agent } = paying(true, [], { use: [guard], breaker: false })
    expect(agent.hooks('beforeTool').map(hook => hook.middleware)).toEqual(['guard', 'needsApproval'])
    expect(() => agent.disable('needsApproval')).toThrow('No middleware "needsApproval"')
  })

  test('a model that runs its tools itself and only reports them is refused', async () => {
    const observing = Object.assign(scriptedModel(['Hi']), { loop: 'observe' as const })
    const { agent } = paying(true, [], { model: observing })
    expect(await agent.send('Go').settled).toMatchObject({ status: 'failed', error: { code: 'model.unguarded' } })
  })

  test('an agent without such a tool has no such guard', () => {
    expect(paying(false, [], { breaker: false }).agent.hooks()).toEqual([])
  })
})

describe('a person is not asked twice', () => {
  const once = (use: Middleware, answers: readonly object[] = [yes]) => paying(true, answers, { use: [use] })
  const ownQuestion = middleware({
    name: 'own',
    async beforeTool(ctx) {
      await ctx.ask('permission', ctx.call)
    },
  })

  test.each([
    { name: 'approval asks too', use: approval() },
    { name: 'a hook of your own asks too', use: ownQuestion },
    { name: 'approval leaves the tool out', use: approval({ tools: ['shell'] }) },
    { name: 'a rule of approval allows the call', use: approval({ allow: ['pay'] }) },
  ])('$name: one question', async ({ use }) => {
    const run = once(use)
    expect(await run.run()).toMatchObject({ status: 'ok' })
    expect(run.asked).toHaveLength(1)
  })

  test('a no to approval is final', async () => {
    const run = once(approval(), [no])
    expect(await run.run()).toMatchObject({ status: 'denied', value: 'Not today.' })
    expect(run.asked).toHaveLength(1)
  })

  test('arguments that a person changed in the answer to approval are what they said yes to', async () => {
    const run = once(approval(), [{ ...yes, args: { amount: 4 } }])
    expect(await run.run()).toMatchObject({ status: 'ok' })
    expect({ asked: run.asked.length, paid: run.paid }).toEqual({ asked: 1, paid: [4] })
  })

  test('an answer for longer covers the next call', async () => {
    const model = scriptedModel(
      [1, 2].map(amount => ({ calls: [{ name: 'pay', args: { amount } }] })),
      { repeat: true },
    )
    const run = paying(true, [{ ...yes, scope: 'conversation', pattern: 'pay' }], {
      model,
      use: [approval()],
      maxSteps: 2,
    })
    await run.run()
    expect({ asked: run.asked.length, paid: run.paid }).toEqual({ asked: 1, paid: [1, 2] })
  })

  test('a call that a wrap changes after the yes is asked about again', async () => {
    const raises = middleware({
      name: 'raises',
      wrapTool: (ctx, next) => next({ ...ctx.call, args: { amount: 50 } }),
    })
    const run = paying(true, [yes, no], { use: [approval(), raises] })
    expect(await run.run()).toMatchObject({ status: 'denied' })
    expect({ asked: run.asked.length, paid: run.paid }).toEqual({ asked: 2, paid: [] })
  })
})

test.each([{ use: [] as Middleware[] }, { use: [approval()] }])(
  'a question that another process answers is not asked again ($use.length guards beside)',
  async ({ use }) => {
    const store = memoryStore()
    const first = paying(true, [], { store, use })
    const chat = first.agent.conversation()
    const turn = chat.send('Pay')
    const opened: string[] = []
    for await (const event of turn)
      if (event.type === 'request.opened') {
        opened.push(event.requestId)
        break
      }
    await first.agent.close()
    const second = paying(true, [], { store, use, model: scriptedModel(['Done']) })
    const again = await second.agent.open(chat.id)
    await again.answer(opened[0] ?? '', yes)
    const resumed = second.agent.resume(chat.id)
    const later: string[] = []
    for await (const event of resumed ?? []) if (event.type === 'request.opened') later.push(event.requestId)
    expect((await resumed)?.status).toBe('completed')
    expect({ paid: second.paid, later }).toEqual({ paid: [5], later: [] })
  },
)
