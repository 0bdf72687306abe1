import {
  again,
  block,
  type Context,
  createAgent,
  type Draft,
  type Message,
  type Middleware,
  middleware,
  rewind,
  type Snapshot,
  TurnbuckleError,
  textOf,
  tool,
} from 'turnbuckle'
import { checkHistory, scriptedModel, sequentialIds } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const look = tool({ name: 'look', run: args => args })
const twoSteps = () =>
  scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'], { repeat: true })
const texts = (messages: readonly Message[]) => messages.map(textOf)

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
})

describe('messages', () => {
  /** What the history looks like when a hook has edited it before the second step. */
  async function edited(edit: (ctx: Context) => void) {
    const editor = middleware({
      name: 'editor',
      beforeStep(ctx) {
        if (ctx.step === 1) edit(ctx)
      },
    })
    const model = twoSteps()
    const chat = createAgent({ model, tools: [look], use: [editor], ids: sequentialIds() }).conversation({
      messages: [
        { id: 'old1', role: 'user', content: 'Before' },
        { id: 'old2', role: 'assistant', content: 'Yes?' },
      ],
    })
    const turn = chat.send('Go')
    const result = await turn.settled
    return { chat, result, model, turn, prompt: model.prompts[1]?.messages ?? [] }
  }

  test('are read by index, from either end, and as an iterable', async () => {
    const { result } = await edited(ctx => {
      expect(ctx.messages).toHaveLength(5)
      expect(ctx.messages.at(0)?.id).toBe('old1')
      expect(ctx.messages.at(-1)?.role).toBe('tool')
      expect(ctx.messages.at(9)).toBeUndefined()
      expect([...ctx.messages].map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'tool'])
      expect(ctx.messages.find(({ id }) => id === 'old2')?.role).toBe('assistant')
      expect(ctx.messages.filter(({ role }) => role === 'user')).toHaveLength(2)
    })
    expect(result.error).toBeUndefined()
  })

  test.each<{ what: string; edit: (ctx: Context) => void; path: string[] }>([
    {
      what: 'append',
      edit: ctx => ctx.messages.append({ role: 'user', content: 'More' }),
      path: ['Before', 'Yes?', 'Go', 'Looking.', '', 'More'],
    },
    {
      what: 'insert',
      edit: ctx => ctx.messages.insert(0, { role: 'system', content: 'First' }),
      path: ['First', 'Before', 'Yes?', 'Go', 'Looking.', ''],
    },
    { what: 'remove', edit: ctx => ctx.messages.remove('old2'), path: ['Before', 'Go', 'Looking.', ''] },
    {
      what: 'replace',
      edit: ctx => ctx.messages.replace('old1', { role: 'user', content: 'Redacted' }),
      path: ['Redacted', 'Yes?', 'Go', 'Looking.', ''],
    },
    {
      what: 'reorder',
      edit: ctx => {
        const [a, b, ...rest] = ctx.messages.map(({ id }) => id)
        ctx.messages.reorder([b ?? '', a ?? '', ...rest])
      },
      path: ['Yes?', 'Before', 'Go', 'Looking.', ''],
    },
  ])('$what makes a branch; the old path stays', async ({ edit, path }) => {
    const { chat, prompt, turn } = await edited(edit)
    expect(texts(prompt)).toEqual(path)
    expect(texts(chat.messages)).toEqual([...path, 'Done'])
    expect(checkHistory(chat.messages)).toEqual([])
    // The old path is still there, whole.
    const old = chat.tree.find(({ message }) => message.role === 'tool')?.id
    expect(texts(chat.fork(old).messages)).toEqual(['Before', 'Yes?', 'Go', 'Looking.', ''])
    const edits: unknown[] = []
    for await (const event of turn) if (event.type === 'history.edited') edits.push(event.by)
    expect(edits).toEqual(['editor'])
    expect(new Set(chat.tree.map(({ id }) => id)).size).toBe(chat.tree.length)
  })

  test.each<{ what: string; edit: (ctx: Context) => void; code: string }>([
    { what: 'removing a call', edit: ctx => ctx.messages.remove(ctx.messages.at(3)?.id ?? ''), code: 'history.orphan' },
    {
      what: 'removing a result',
      edit: ctx => ctx.messages.remove(ctx.messages.at(4)?.id ?? ''),
      code: 'history.orphan',
    },
    {
      what: 'a message between call and result',
      edit: ctx => ctx.messages.insert(4, { role: 'user', content: 'x' }),
      code: 'history.orphan',
    },
    {
      what: 'a result for nothing',
      edit: ctx =>
        ctx.messages.append({
          role: 'tool',
          content: [{ type: 'result', id: 'z', name: 'look', status: 'ok', value: 1 }],
        }),
      code: 'history.orphan',
    },
    {
      what: 'a call without a result',
      edit: ctx =>
        ctx.messages.append({ role: 'assistant', content: [{ type: 'call', id: 'z', name: 'look', args: {} }] }),
      code: 'history.orphan',
    },
    {
      what: 'a new order that parts call and result',
      edit: ctx => ctx.messages.reorder(ctx.messages.map(({ id }) => id).toReversed()),
      code: 'history.orphan',
    },
    { what: 'an order with a message missing', edit: ctx => ctx.messages.reorder(['old1']), code: 'history.order' },
    {
      what: 'an index out of range',
      edit: ctx => ctx.messages.insert(99, { role: 'user', content: 'x' }),
      code: 'history.index',
    },
    { what: 'an unknown id', edit: ctx => ctx.messages.remove('nobody'), code: 'history.missing' },
  ])('$what is refused', async ({ edit, code }) => {
    let refusal: unknown
    const { chat } = await edited(ctx => {
      try {
        edit(ctx)
      } catch (error) {
        refusal = error
      }
    })
    expect(refusal).toBeInstanceOf(TurnbuckleError)
    expect(refusal).toMatchObject({ code })
    expect(texts(chat.messages)).toEqual(['Before', 'Yes?', 'Go', 'Looking.', '', 'Done'])
  })

  test('a whole exchange can be removed: the call first together with its result', async () => {
    const { result } = await edited(ctx => {
      const rest = ctx.messages.toArray()
      ctx.messages.replace(rest[3]?.id ?? '', {
        role: 'assistant',
        content: [...(rest[3]?.content ?? []), ...(rest[4]?.content ?? [])],
      })
    })
    // The result that is left stands alone: refused, and the hook fails its stage.
    expect(result).toMatchObject({ status: 'failed', by: 'editor' })
  })

  test('are refused while calls run, but for what lies before them', async () => {
    const codes: unknown[] = []
    const editor = middleware({
      name: 'editor',
      beforeTool(ctx) {
        ctx.messages.replace(ctx.messages.at(0)?.id ?? '', { role: 'user', content: 'Earlier' })
        try {
          ctx.messages.append({ role: 'user', content: 'Now' })
        } catch (error) {
          codes.push((error as TurnbuckleError).code)
        }
      },
    })
    const chat = createAgent({ model: twoSteps(), tools: [look], use: [editor] }).conversation()
    await chat.send('Go')
    expect(codes).toEqual(['history.orphan'])
    expect(texts(chat.messages)).toEqual(['Earlier', 'Looking.', '', 'Done'])
    expect(checkHistory(chat.messages)).toEqual([])
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

describe('snapshot, restore, fork', () => {
  test('restore undoes edits and deletions, shared values and instructions', async () => {
    let taken: Snapshot | undefined
    const model = scriptedModel(['One', 'Two'], { repeat: true })
    const owner = middleware({
      name: 'owner',
      beforeModel(ctx) {
        if (ctx.step !== 0) return
        ctx.shared.set('a', 1)
        taken = ctx.snapshot()
        ctx.messages.append({ role: 'user', content: 'Extra' })
        ctx.shared.set('a', 2)
        ctx.instruct('Never said.')
        ctx.restore(taken)
        expect(ctx.shared.get('a')).toBe(1)
        expect([...ctx.messages]).toHaveLength(1)
      },
    })
    const chat = createAgent({ model, use: [owner] }).conversation()
    await chat.send('Go')
    expect(texts(chat.messages)).toEqual(['Go', 'One'])
    expect(model.prompts[0]?.instructions).toBe('')
  })

  test('a snapshot of a long history costs no more than one of a short', async () => {
    const long = Array.from(
      { length: 10_000 },
      (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `${i}` }) as const,
    )
    let same = false
    const owner = middleware({
      name: 'owner',
      beforeTurn(ctx) {
        // Nothing is copied: two snapshots of the same moment share the history.
        const [a, b] = [ctx.snapshot(), ctx.snapshot()] as unknown as { tip: unknown }[]
        same = a?.tip === b?.tip
        for (let i = 0; i < 10_000; i++) ctx.snapshot()
      },
    })
    await createAgent({ model: scriptedModel(['Hi']), use: [owner] })
      .conversation({ messages: long })
      .send('Go')
    expect(same).toBe(true)
  })

  test('restore is refused while calls are open, and when the turn is over', async () => {
    const codes: unknown[] = []
    const attempt = (run: () => void) => {
      try {
        run()
      } catch (error) {
        codes.push((error as TurnbuckleError).code)
      }
    }
    let taken: Snapshot | undefined
    let kept: Context | undefined
    const owner = middleware({
      name: 'owner',
      beforeModel(ctx) {
        taken ??= ctx.snapshot()
        kept = ctx
      },
      beforeTool: ctx => attempt(() => ctx.restore(taken as Snapshot)),
    })
    await createAgent({ model: twoSteps(), tools: [look], use: [owner] }).send('Go')
    attempt(() => kept?.restore(taken as Snapshot))
    attempt(() => kept?.messages.append({ role: 'user', content: 'Late' }))
    expect(codes).toEqual(['history.orphan', 'turn.ended', 'turn.ended'])
  })

  test.each<{ what: string; use: (given: Snapshot) => Middleware }>([
    { what: 'restore', use: given => middleware({ name: 'back', beforeStep: ctx => ctx.restore(given) }) },
    { what: 'rewind', use: given => middleware({ name: 'back', afterDecide: () => rewind(given) }) },
  ])('what is no snapshot of this conversation is refused by $what', async ({ use }) => {
    const foreign: Snapshot[] = []
    const takes = middleware({ name: 'takes', afterModel: ctx => void foreign.push(ctx.snapshot()) })
    await createAgent({ model: scriptedModel(['One']), use: [takes] }).send('Elsewhere')
    for (const given of [...foreign, {}, null]) {
      const agent = createAgent({ model: scriptedModel(['One', 'Two']), use: [use(given as Snapshot)] })
      const { status, error } = await agent.send('Go').settled
      expect(status).toBe('failed')
      expect(String((error as Error).cause ?? error)).toMatch(/no snapshot of this conversation/)
    }
  })

  test('a fork inside a hook is a conversation of its own, isolated from its sibling', async () => {
    const answers: string[] = []
    const compare = middleware({
      name: 'compare',
      async beforeTurn(ctx) {
        if (textOf(ctx.message) !== 'Compare') return
        const fork = ctx.fork()
        answers.push((await fork.send('One way')).text)
      },
    })
    const chat = createAgent({ model: scriptedModel(['A', 'B', 'C']), use: [compare] }).conversation()
    await chat.send('First')
    await chat.send('Compare')
    expect(answers).toEqual(['B'])
    expect(texts(chat.messages)).toEqual(['First', 'A', 'Compare', 'C'])
  })

  test('a hook that calls the agent for ever meets the depth limit', async () => {
    const recursive = middleware({
      name: 'recursive',
      async beforeTurn(ctx) {
        await ctx.agent.send('Again')
      },
    })
    const { status, error } = await createAgent({ model: scriptedModel([]), use: [recursive] }).send('Go').settled
    expect(status).toBe('failed')
    let cause = error
    while ((cause as Error).cause) cause = (cause as Error).cause
    expect(cause).toMatchObject({ code: 'agent.depth' })
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
