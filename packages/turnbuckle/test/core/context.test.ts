import {
  again,
  block,
  type Call,
  type Context,
  createAgent,
  type Draft,
  middleware,
  pipeline,
  rewind,
  textOf,
  tool,
} from 'turnbuckle'
import { scriptedModel, sequentialIds } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { look, texts, twoSteps } from './looking.ts'

describe('state', () => {
  const counter = (scope: 'turn' | 'branch' | 'conversation', seen: number[]) =>
    middleware({
      name: 'counter',
      state: { turns: 0 },
      scope,
      beforeTurn(ctx) {
        ctx.update(({ turns }) => ({ turns: turns + 1 }))
        seen.push(ctx.state.turns)
      },
    })

  test.each([
    { scope: 'turn' as const, values: [1, 1, 1, 1] },
    { scope: 'branch' as const, values: [1, 2, 2, 3] },
    { scope: 'conversation' as const, values: [1, 2, 3, 4] },
  ])('of scope $scope, over two turns, a fork from the first and its next', async ({ scope, values }) => {
    const seen: number[] = []
    const agent = createAgent({ model: scriptedModel(['Hi'], { repeat: true }), use: [counter(scope, seen)] })
    const chat = agent.conversation()
    await chat.send('One')
    const afterFirst = chat.head
    await chat.send('Two')
    const fork = chat.fork(afterFirst)
    await fork.send('Two, again')
    await fork.send('Three')
    expect(seen).toEqual(values)
    // One middleware serves any number of conversations.
    seen.length = 0
    await agent.conversation().send('Elsewhere')
    expect(seen).toEqual([1])
  })

  test('of a branch follows checkout, and is rewound', async () => {
    const seen: unknown[] = []
    const steps = middleware({
      name: 'steps',
      state: [] as readonly string[],
      scope: 'branch',
      beforeModel(ctx) {
        ctx.update(list => [...list, `step ${ctx.step}`])
      },
      afterDecide: ctx => (ctx.step === 1 ? rewind(1) : undefined),
      afterTurn: ctx => void seen.push(ctx.state),
    })
    const chat = createAgent({ model: twoSteps(), tools: [look], use: [steps] }).conversation()
    await chat.send('Go')
    expect(seen).toEqual([['step 0', 'step 2', 'step 3']])
    const first = chat.tree[0]?.id ?? ''
    chat.checkout(first)
    expect(chat.head).toBe(first)
  })

  test('is frozen, and changed only by update', async () => {
    const tries: unknown[] = []
    const owner = middleware({
      name: 'owner',
      state: { list: ['a'] },
      beforeTurn(ctx) {
        ctx.update(() => ({ list: ['b'] }))
        try {
          ;(ctx.state as { list: string[] }).list = []
        } catch (error) {
          tries.push(error)
        }
        expect(ctx.state.list).toEqual(['b'])
      },
    })
    await createAgent({ model: scriptedModel(['Hi']), use: [owner] }).send('Go')
    expect(tries[0]).toBeInstanceOf(TypeError)
  })
})

describe('shared', () => {
  test('goes from hook to hook, frozen, and ends with the turn', async () => {
    const seen: unknown[] = []
    const writer = middleware({ name: 'writer', beforeTurn: ctx => ctx.shared.set('facts', { list: [1] }) })
    const reader = middleware({
      name: 'reader',
      afterModel(ctx) {
        const facts = ctx.shared.get<{ list: number[] }>('facts')
        seen.push(facts, Object.isFrozen(facts), Object.isFrozen(facts?.list))
      },
    })
    const agent = createAgent({ model: scriptedModel(['Hi'], { repeat: true }), use: [reader, writer] })
    await agent.send('Go')
    expect(seen).toEqual([{ list: [1] }, true, true])
    agent.disable('writer')
    seen.length = 0
    await agent.send('Go')
    expect(seen[0]).toBeUndefined()
  })
})

describe('instruct', () => {
  test('for one call, or for the rest of the turn; text adds up, parameters too', async () => {
    const told = middleware({
      name: 'told',
      beforeTurn(ctx) {
        ctx.instruct('Only now.')
        ctx.instruct('All the time.', { for: 'turn' })
        ctx.instruct({ temperature: 0 })
        ctx.instruct({ topP: 1 }, { for: 'turn' })
      },
    })
    const model = twoSteps()
    const chat = createAgent({ model, instructions: 'Be kind.', tools: [look], use: [told] }).conversation()
    await chat.send('Go')
    expect(model.prompts.map(({ instructions, params }) => ({ instructions, params }))).toEqual([
      { instructions: 'Be kind.\n\nOnly now.\n\nAll the time.', params: { temperature: 0, topP: 1 } },
      { instructions: 'Be kind.\n\nAll the time.', params: { topP: 1 } },
    ])
  })
})

describe('draft', () => {
  test('carries what is in flight, and is cleared when the step ends', async () => {
    const seen: Partial<Draft>[] = []
    const note = ({ draft }: Context) => {
      const { text, reply, calls, results, errors, finishReason } = draft
      seen.push({ text, reply, calls, results, errors: [...errors], finishReason })
    }
    const watch = middleware({ name: 'watch', beforeModel: note, afterModel: note, beforeDecide: note })
    await createAgent({ model: twoSteps(), tools: [look], use: [watch] }).send('Go')
    const [before, after, decide, second] = seen
    const empty = { text: '', reply: undefined, calls: [], results: [], errors: [], finishReason: undefined }
    expect(before).toEqual(empty)
    expect(after?.text).toBe('Looking.')
    expect(after?.finishReason).toBe('tool-calls')
    expect(decide?.calls).toMatchObject([{ id: 'c1' }])
    expect(decide?.results).toMatchObject([{ status: 'ok' }])
    expect(second).toEqual(empty)
  })

  test('has the errors of its step only', async () => {
    const errors: number[] = []
    const broken = tool({
      name: 'look',
      run: () => {
        throw new Error('broken')
      },
    })
    const watch = middleware({ name: 'watch', afterStep: ctx => void errors.push(ctx.draft.errors.length) })
    await createAgent({ model: twoSteps(), tools: [broken], use: [watch] }).send('Go')
    expect(errors).toEqual([1, 0])
  })

  test("has the user's message in every step", async () => {
    const seen: string[] = []
    const watch = middleware({ name: 'watch', beforeStep: ctx => void seen.push(textOf(ctx.draft.userMessage)) })
    await createAgent({ model: twoSteps(), tools: [look], use: [watch] }).send('Go')
    expect(seen).toEqual(['Go', 'Go'])
  })

  // They were one list for all: what a hook pushed onto it, the tools of other agents ran.
  const push = ({ draft }: Context): void => {
    ;(draft.calls as Call[]).push({ type: 'call', id: 'stray', name: 'look', args: {} })
  }
  test.each([
    { before: 'the model', pushing: middleware({ name: 'pushing', beforeModel: push }) },
    { before: 'the detection', pushing: middleware({ name: 'pushing', beforeDetect: push }) },
  ])('what is pushed onto its calls before $before is in no other conversation', async ({ pushing }) => {
    const model = scriptedModel(['Hi'], { repeat: true })
    const refused = await createAgent({ model, tools: [look], use: [pushing] }).send('Go').settled
    expect(refused).toMatchObject({ status: 'failed', by: 'pushing' })
    const other = createAgent({ model, tools: [look], pipeline: pipeline().remove('detect') })
    expect(await other.send('Go')).toMatchObject({ status: 'completed', steps: 1 })
  })
})

describe('prompt', () => {
  test('is what the coming call sends; the history is not touched by changing it', async () => {
    const model = twoSteps()
    const trim = middleware({
      name: 'trim',
      beforeModel(ctx) {
        ctx.prompt = { ...ctx.prompt, messages: ctx.prompt.messages.slice(0, 1), params: { temperature: 0 }, tools: [] }
      },
    })
    const chat = createAgent({ model, tools: [look], use: [trim] }).conversation()
    await chat.send('Go')
    expect(model.prompts[0]).toMatchObject({ params: { temperature: 0 }, tools: [] })
    expect(model.prompts[1]?.messages).toHaveLength(1)
    expect(chat.messages).toHaveLength(4)
  })

  test('a tool that a hook took out of it is not run', async () => {
    const hide = middleware({
      name: 'hide',
      beforeModel(ctx) {
        ctx.prompt = { ...ctx.prompt, tools: [] }
      },
    })
    const { messages } = await createAgent({ model: twoSteps(), tools: [look], use: [hide] }).send('Go')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'error' })
  })

  test('can name another model for this call', async () => {
    const other = scriptedModel(['From the other one.'])
    const route = middleware({
      name: 'route',
      beforeModel(ctx) {
        ctx.prompt = { ...ctx.prompt, model: other }
      },
    })
    expect((await createAgent({ model: scriptedModel([]), use: [route] }).send('Go')).text).toBe('From the other one.')
  })
})

describe('what may be assigned', () => {
  const assign = (value: unknown) => (ctx: object) => {
    Object.assign(ctx, { call: value })
  }
  test.each([
    { what: 'by a guard', hooks: { guard: true, beforeTool: assign({}) }, error: /may not change what it sees/ },
    { what: 'by an after hook', hooks: { afterTool: assign({}) }, error: /Only before hooks may assign/ },
    { what: 'nothing at all', hooks: { beforeTool: assign(undefined) }, error: /cannot be undefined/ },
  ])('not $what', async ({ hooks, error }) => {
    const owner = middleware({ name: 'owner', ...hooks } as unknown as Parameters<typeof middleware>[0])
    const turn = createAgent({ model: twoSteps(), tools: [look], use: [owner] }).send('Go')
    const failed: string[] = []
    for await (const event of turn) if (event.type === 'hook.failed') failed.push(event.error)
    expect(failed[0]).toMatch(error)
  })

  test('by a before hook: what the stage takes', async () => {
    const seen: unknown[] = []
    const spy = tool({ name: 'look', run: args => void seen.push(args) })
    const owner = middleware({
      name: 'owner',
      beforeInput(ctx) {
        ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'Other' }] }
      },
      beforeTools(ctx) {
        ctx.calls = ctx.calls.map(call => ({ ...call, args: { batch: true } }))
      },
      beforeTool(ctx) {
        ctx.call = { ...ctx.call, args: { ...(ctx.call.args as object), one: true } }
      },
    })
    const { messages } = await createAgent({ model: twoSteps(), tools: [spy], use: [owner] }).send('Go')
    expect(textOf(messages[0])).toBe('Other')
    expect(seen).toEqual([{ batch: true, one: true }])
  })

  test('a call that the model did not make is refused', async () => {
    const owner = middleware({
      name: 'owner',
      beforeTools(ctx) {
        ctx.calls = [{ type: 'call', id: 'mine', name: 'look', args: {} }]
      },
    })
    const { error } = await createAgent({ model: twoSteps(), tools: [look], use: [owner] }).send('Go').settled
    expect(error).toMatchObject({ code: 'call.unknown' })
  })
})

test('generate is counted, not shown, and not in the history', async () => {
  const usage = { inputTokens: 5, outputTokens: 2 }
  const judge = scriptedModel([{ text: 'Too short.', usage }])
  const critic = middleware({
    name: 'critic',
    async afterDecide(ctx) {
      if (ctx.step > 0) return
      const { text, usage: used } = await ctx.generate(judge, 'Good?')
      expect(used).toMatchObject(usage)
      return again(text)
    },
  })
  const model = scriptedModel([
    { text: 'Hm', usage },
    { text: 'A long answer.', usage },
  ])
  const chat = createAgent({ model, use: [critic] }).conversation()
  const turn = chat.send('Go')
  const shown: string[] = []
  for await (const text of turn.text) shown.push(text)
  expect(shown.join('')).toBe('HmA long answer.')
  expect((await turn).usage).toMatchObject({ inputTokens: 15, outputTokens: 6 })
  expect(texts(chat.messages)).toEqual(['Go', 'Hm', 'Too short.', 'A long answer.'])
  expect(judge.prompts[0]?.tools).toEqual([])
})

test('a hook sees where it is', async () => {
  const seen: unknown[] = []
  const watch = middleware({
    name: 'watch',
    beforeTool(ctx) {
      seen.push(ctx.stage, ctx.step, ctx.call.name, ctx.agent.name, ctx.conversation.id, ctx.turn.id, ctx.resumed)
      seen.push(ctx.log.events[0]?.type, ctx.log.seq > 0, ctx.signal.aborted, typeof ctx.clock.now(), ctx.ids.next('x'))
      return block('seen')
    },
  })
  const agent = createAgent({ model: twoSteps(), tools: [look], use: [watch], name: 'Ada', ids: sequentialIds() })
  await agent.send('Go')
  expect(seen).toEqual([
    ...['tool', 0, 'look', 'Ada', 'conv_1', 'turn_1', false],
    ...['turn.started', true, false, 'number', 'x_1'],
  ])
})

test('an event of your own is in the turn, numbered like any other', async () => {
  const news = middleware({ name: 'news', beforeTurn: ctx => ctx.emit({ type: 'quota.checked', left: 3 }) })
  const turn = createAgent({ model: scriptedModel(['Hi']), use: [news] }).send('Go')
  const events = []
  for await (const event of turn) events.push(event)
  expect(events.find(event => (event.type as string) === 'quota.checked')).toMatchObject({
    left: 3,
    seq: 2,
    turnId: turn.id,
  })
})

test('a hook may take what it needs out of its context', async () => {
  const seen: unknown[] = []
  const takes = middleware({
    name: 'takes',
    state: 0,
    async beforeModel({ update, emit, ask, instruct, snapshot, restore, fork, generate, messages }) {
      update(count => count + 1)
      emit({ type: 'taken.out' })
      instruct('Be brief.')
      restore(snapshot())
      seen.push(await ask('question', {}, { timeout: 0, fallback: 'yes' }))
      seen.push((await generate(scriptedModel(['Fine.']), 'Well?')).text)
      seen.push(fork().messages.length === messages.length)
    },
    afterModel: ({ state }) => void seen.push(state),
  })
  const model = scriptedModel(['Hi.'])
  const turn = createAgent({ model, use: [takes] }).send('Go.')
  const types: string[] = []
  for await (const { type } of turn) types.push(type)
  expect((await turn).status).toBe('completed')
  expect(seen).toEqual(['yes', 'Fine.', true, 1])
  expect(types).toContain('taken.out')
  expect(model.prompts[0]?.instructions).toBe('Be brief.')
})
