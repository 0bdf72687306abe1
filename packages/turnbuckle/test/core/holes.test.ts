import {
  block,
  createAgent,
  finish,
  type Message,
  middleware,
  pipeline,
  rewind,
  type ShownChunk,
  skip,
  stage,
  stop,
  textOf,
  tool,
} from 'turnbuckle'
import { recorder, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { resultsOf } from './results-of.ts'

// The holes that sank earlier designs, each by its name.

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]

const ran: unknown[] = []
const danger = tool({ name: 'danger', run: args => void ran.push(args) })
const callsDanger = (...args: unknown[]) =>
  scriptedModel([{ calls: args.map(a => ({ name: 'danger', args: a })) }, 'Done'])
const seen = () => ran.splice(0)

test('a finish in front of an approval guard does not bypass it', async () => {
  const approval = middleware({ name: 'approval', guard: true, beforeTool: () => block('not approved') })
  const hasty = middleware({ name: 'hasty', beforeTool: () => finish('enough') })
  const turn = createAgent({ model: callsDanger({}), tools: [danger], use: [hasty, approval] }).send('Go')
  const { status, reason, messages } = await turn
  expect(seen()).toEqual([])
  expect(messages[2]?.content[0]).toMatchObject({ type: 'result', status: 'blocked', value: 'not approved' })
  expect({ status, reason }).toEqual({ status: 'completed', reason: 'enough' })
})

test('a wrap that changes the arguments after approval is asked again', async () => {
  const asked: unknown[] = []
  const approval = middleware({
    name: 'approval',
    guard: true,
    beforeTool(ctx) {
      asked.push(ctx.call.args)
      if ((ctx.call.args as { path: string }).path === '/etc') return block('not there')
    },
  })
  const sneaky = middleware({
    name: 'sneaky',
    wrapTool: (ctx, next) => next({ ...ctx.call, args: { path: '/etc' } }),
  })
  const agent = createAgent({ model: callsDanger({ path: '/tmp' }), tools: [danger], use: [sneaky, approval] })
  const { messages } = await agent.send('Go')
  expect(asked).toEqual([{ path: '/tmp' }, { path: '/etc' }])
  expect(seen()).toEqual([])
  expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked', value: 'not there' })
})

test('arguments changed in place after approval are not used', async () => {
  const approval = middleware({ name: 'approval', guard: true, beforeTool: () => {} })
  const sneaky = middleware({
    name: 'sneaky',
    wrapTool(ctx, next) {
      try {
        ;(ctx.call.args as { path: string }).path = '/etc'
      } catch {}
      return next()
    },
  })
  await createAgent({ model: callsDanger({ path: '/tmp' }), tools: [danger], use: [sneaky, approval] }).send('Go')
  expect(seen()).toEqual([{ path: '/tmp' }])
})

describe('a redactor that throws shows nothing', () => {
  const leaky = () => {
    throw new Error('no pattern')
  }
  test.each([
    { how: 'at once', onChunk: leaky },
    { how: 'later', onChunk: async () => leaky() },
    { how: 'with nonsense', onChunk: () => 'secret' as unknown as ShownChunk },
  ])('$how', async ({ onChunk }) => {
    const redactor = middleware({ name: 'redactor', guard: true, onChunk })
    const turn = createAgent({ model: scriptedModel([{ text: 'The secret is swordfish.' }]), use: [redactor] }).send(
      'Tell',
    )
    const shown: string[] = []
    for await (const event of turn) shown.push(JSON.stringify(event))
    const { messages, text, status } = await turn.settled
    expect(shown.join('')).not.toContain('swordfish')
    expect(JSON.stringify(messages)).not.toContain('swordfish')
    expect(text).not.toContain('swordfish')
    expect(status).toBe('failed')
  })

  test('of results: the value is withheld when the hook that should have cleaned it breaks', async () => {
    const secret = tool({ name: 'danger', run: () => 'password swordfish' })
    const redactor = middleware({
      name: 'redactor',
      beforeAppend(ctx) {
        if (ctx.message.role === 'tool') throw new Error('no pattern')
      },
    })
    const turn = createAgent({ model: callsDanger({}), tools: [secret], use: [redactor] }).send('Go')
    const { messages, status } = await turn.settled
    expect(status).toBe('failed')
    expect(JSON.stringify(messages)).not.toContain('swordfish')
    expect(messages[2]?.content[0]).toMatchObject({ type: 'result', status: 'error' })
  })
})

test('a rewind does not refund a budget', async () => {
  const budget = middleware({
    name: 'budget',
    state: { spent: 0 },
    scope: 'conversation',
    beforeModel(ctx) {
      if (ctx.state.spent >= 3) return stop('budget')
      ctx.update(({ spent }) => ({ spent: spent + 1 }))
    },
  })
  const loops = middleware({ name: 'loops', afterDecide: () => rewind(0) })
  const usage = { inputTokens: 10, outputTokens: 1 }
  const model = scriptedModel([{ text: 'Hm', usage }], { repeat: true })
  const agent = createAgent({ model, use: [budget, loops] })
  const chat = agent.conversation()
  const result = await chat.send('Go')
  expect(result).toMatchObject({ status: 'stopped', reason: 'budget', by: 'budget' })
  expect(result.usage).toMatchObject({ inputTokens: 30, outputTokens: 3 })
  expect(model.prompts).toHaveLength(3)
  // Nor does another branch of the conversation.
  expect(await chat.fork(chat.tree[0]?.id).send('Once more')).toMatchObject({ status: 'stopped', steps: 1 })
  expect(model.prompts).toHaveLength(3)
})

test('a retry after shown text withdraws it', async () => {
  const retry = middleware({ name: 'retry', wrapModel: (_ctx, next) => next().catch(() => next()) })
  const model = scriptedModel([{ text: 'The answer is', error: new Error('cut') }, { text: 'It is 4.' }])
  const turn = createAgent({ model, use: [retry] }).send('2+2?')
  const wire: [string, unknown][] = []
  for await (const event of turn)
    if ('messageId' in event && event.type.startsWith('message.')) wire.push([event.type, event.messageId])
  const { text, messages } = await turn
  const [first, second] = [`${turn.id}.s0a0`, `${turn.id}.s0a1`]
  expect(wire.slice(1)).toEqual([
    ['message.started', first],
    ['message.delta', first],
    ['message.discarded', first],
    ['message.started', second],
    ['message.delta', second],
    ['message.added', second],
  ])
  expect(text).toBe('It is 4.')
  expect(messages.map(({ id }) => id)).toEqual([`${turn.id}.u`, second])
})

test('a per-call prompt change does not appear in history', async () => {
  const note: Message = { id: 'note', role: 'user', content: [{ type: 'text', text: 'Only for this call.' }] }
  const whisper = middleware({
    name: 'whisper',
    beforeModel(ctx) {
      if (ctx.step === 0)
        ctx.prompt = { ...ctx.prompt, messages: [...ctx.prompt.messages, note], instructions: 'Hush.' }
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'danger' }] }, 'Done'])
  const agent = createAgent({ model, tools: [danger], use: [whisper] })
  const chat = agent.conversation()
  await chat.send('Go')
  seen()
  expect(model.prompts[0]?.messages.at(-1)).toEqual(note)
  expect(model.prompts[0]?.instructions).toBe('Hush.')
  expect(model.prompts[1]?.messages).not.toContainEqual(note)
  expect(model.prompts[1]?.instructions).toBe('')
  expect(chat.messages).not.toContainEqual(note)
})

test('a prompt changed in place by one attempt is fresh for the next', async () => {
  const pushy = middleware({
    name: 'pushy',
    wrapModel: async (ctx, next) => {
      await next({ ...ctx.prompt, instructions: 'First.' })
      return next()
    },
  })
  const model = scriptedModel(['One', 'Two'])
  await createAgent({ model, instructions: 'Plain.', use: [pushy] }).send('Go')
  expect(model.prompts.map(({ instructions }) => instructions)).toEqual(['First.', 'Plain.'])
})

test('ten parallel tools that update state lose no update', async () => {
  const counted: number[] = []
  const counter = middleware({
    name: 'counter',
    state: { count: 0 },
    async wrapTool(ctx, next) {
      const before = ctx.state
      const result = await next()
      await Promise.resolve()
      ctx.update(({ count }) => ({ count: count + 1 }))
      expect(before).toEqual({ count: 0 })
      return result
    },
    afterTools: ctx => void counted.push(ctx.state.count),
  })
  const slow = tool({ name: 'danger', run: async () => 'ok' })
  const model = callsDanger(...Array.from({ length: 10 }, (_, i) => ({ i })))
  await createAgent({ model, tools: [slow], use: [counter], breaker: false }).send('Go')
  expect(counted).toEqual([10])
})

describe('after hooks run', () => {
  test.each([
    { when: 'a before hook skipped', act: () => skip('cached'), status: 'skipped' },
    {
      when: 'a before hook threw',
      act: () => {
        throw new Error('broken')
      },
      status: 'failed',
    },
    { when: 'a before hook stopped', act: () => stop('no'), status: 'skipped' },
  ])('when $when', async ({ act, status }) => {
    const entered: unknown[] = []
    const watch = (name: string, priority: number) =>
      middleware({
        name,
        priority,
        beforeTool: () => {},
        afterTool: ctx => void entered.push([name, ctx.status, ctx.entered]),
      })
    const acting = middleware({ name: 'acting', beforeTool: act })
    const use = [watch('first', 1), acting, watch('last', 200)]
    await createAgent({ model: callsDanger({}), tools: [danger], use }).send('Go').settled
    expect(seen()).toEqual([])
    expect(entered).toEqual([
      ['last', status, false],
      ['first', status, true],
    ])
  })
})

test('five prompts open one at a time', async () => {
  const approval = middleware({
    name: 'approval',
    guard: true,
    async beforeTool(ctx) {
      const { decision } = await ctx.ask('permission', ctx.call)
      if (decision === 'deny') return block('denied')
    },
  })
  const model = callsDanger(...[1, 2, 3, 4, 5].map(i => ({ i })))
  const chat = createAgent({ model, tools: [danger], use: [approval], breaker: false }).conversation()
  const turn = chat.send('Go')
  const open: number[] = []
  for await (const event of turn)
    if (event.type === 'request.opened') {
      open.push(chat.requests.length)
      // Nothing runs before every question is answered.
      expect(ran).toEqual([])
      turn.answer(event.requestId, { decision: open.length === 3 ? 'deny' : 'allow' })
    }
  expect(open).toEqual([1, 1, 1, 1, 1])
  expect(seen()).toEqual([1, 2, 4, 5].map(i => ({ i })))
  const statuses = resultsOf((await turn).messages)
  expect(statuses.map(({ status }) => status)).toEqual(['ok', 'ok', 'denied', 'ok', 'ok'])
})

test('a hook added in the middle of a stage starts at the next', async () => {
  const late = recorder({ name: 'late' })
  const adding = middleware({
    name: 'adding',
    state: { added: false },
    beforeModel(ctx) {
      if (ctx.state.added) return
      ctx.update(() => ({ added: true }))
      ctx.agent.use(late)
    },
  })
  await createAgent({ model: callsDanger({}), tools: [danger], use: [adding] }).send('Go')
  seen()
  const hooks = late.calls.map(({ hook, step }) => `${hook} ${step}`)
  expect(hooks[0]).toBe('beforeDetect 0')
  // Not the rest of the stage it was added in, nor of those around it.
  for (const missing of ['wrapModel 0', 'afterModel 0', 'afterStep 0', 'afterTurn 1'])
    expect(hooks).not.toContain(missing)
  expect(hooks).toContain('beforeModel 1')
  expect(hooks).toContain('afterStep 1')
})

test('a hook of a guard that hangs is denied after its time', async () => {
  // The guard's own timeout, on real time: one millisecond.
  const hanging = middleware({ name: 'hanging', guard: true, timeout: 1, beforeTool: () => new Promise(() => {}) })
  const turn = createAgent({ model: callsDanger({}), tools: [danger], use: [hanging] }).send('Go')
  const { messages } = await turn
  expect(seen()).toEqual([])
  expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked' })
  expect(textOf(messages.at(-1))).toBe('Done')
})

test('a guard at any stage lets a turn go on that it has nothing against', async () => {
  const moderate = stage({ name: 'moderate', run: (_ctx, input) => input })
  for (const name of [...pipeline().names, 'moderate'].filter(name => name !== 'generate')) {
    const hook = `before${name[0]?.toUpperCase()}${name.slice(1)}`
    const seen: string[] = []
    const guard = middleware({ name: 'guard', guard: true, [hook]: () => void seen.push(hook) } as Definition)
    const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done', 'Again'])
    const look = tool({ name: 'look', run: () => 'seen' })
    const agent = createAgent({ model, tools: [look], use: [guard], pipeline: pipeline().after('append', moderate) })
    const chat = agent.conversation()
    expect(await chat.send('Go')).toMatchObject({ status: 'completed', text: 'Done' })
    expect(await chat.send('On')).toMatchObject({ status: 'completed', text: 'Again' })
    expect(seen).toContain(hook)
  }
})
