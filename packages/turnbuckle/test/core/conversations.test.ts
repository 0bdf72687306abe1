import fc from 'fast-check'
import { agentTool, block, createAgent, middleware, type NewMessage, type Part, stop, textOf, tool } from 'turnbuckle'
import { checkHistory, recorder, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { codeOf } from './code-of.ts'
import { resultsOf } from './results-of.ts'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () =>
  scriptedModel(
    [
      {
        text: 'Looking.',
        calls: [
          { name: 'look', id: 'c1' },
          { name: 'look', id: 'c2', args: { n: 2 } },
        ],
      },
      'Done',
    ],
    { repeat: true },
  )
describe('the tree', () => {
  test('messages are the path; nodes know parent, turn and cost', async () => {
    const usage = { inputTokens: 5, outputTokens: 2, cost: 0.5 }
    const chat = createAgent({ model: scriptedModel([{ text: 'Hi', usage }]) }).conversation()
    const turn = chat.send('Go')
    await turn
    const [first, second] = chat.tree
    expect(first).toMatchObject({ parentId: undefined, turnId: turn.id, message: { role: 'user' } })
    expect(second).toMatchObject({ parentId: first?.id, turnId: turn.id, usage, cost: 0.5 })
    expect(chat.head).toBe(second?.id)
    expect(chat.messages).toEqual(chat.tree.map(({ message }) => message))
  })

  test('siblings are isolated', async () => {
    const chat = createAgent({ model: scriptedModel(['A', 'B', 'C']) }).conversation()
    await chat.send('One')
    const start = chat.tree[0]?.id
    const fork = chat.fork(start)
    await fork.send('Other')
    await chat.send('Two')
    expect(chat.messages.map(textOf)).toEqual(['One', 'A', 'Two', 'C'])
    expect(fork.messages.map(textOf)).toEqual(['One', 'Other', 'B'])
    expect(chat.tree).toHaveLength(6)
    expect(fork.tree).toEqual(chat.tree)
  })

  test('a second handle that is made while calls run branches off, with a result for each of them', async () => {
    let open = () => {}
    const opened = new Promise<void>(resolve => {
      open = resolve
    })
    const model = scriptedModel([{ calls: [{ name: 'wait' }] }, 'Beside.', 'Done.'])
    const agent = createAgent({ model, tools: [tool({ name: 'wait', run: () => opened })] })
    const turn = agent.conversation('c').send('Go')
    for await (const { type } of turn) if (type === 'tool.executing') break
    const second = agent.conversation('c')
    await second.send('And you?')
    expect(second.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
    open()
    await turn
    for (const { messages } of model.prompts) expect(checkHistory(messages)).toEqual([])
  })

  test('checkout moves this handle only, and says so', async () => {
    const chat = createAgent({ model: scriptedModel(['A', 'B']) }).conversation()
    await chat.send('One')
    const other = chat.fork()
    const moved: unknown[] = []
    chat.subscribe(event => moved.push(event.type))
    const first = chat.tree[0]?.id ?? ''
    chat.checkout(first)
    expect(chat.messages.map(textOf)).toEqual(['One'])
    expect(other.messages.map(textOf)).toEqual(['One', 'A'])
    expect(moved).toEqual(['head.moved'])
    await chat.send('Again')
    expect(chat.messages.map(textOf)).toEqual(['One', 'Again', 'B'])
    expect(codeOf(() => chat.checkout('nobody'))).toBe('message.missing')
    expect(codeOf(() => chat.fork('nobody'))).toBe('message.missing')
  })

  test('forks onto the same open calls share the results that are made up', async () => {
    const look = tool({ name: 'look', run: () => [chat.fork(), chat.fork(), chat.fork()].map(({ head }) => head) })
    const agent = createAgent({ model: scriptedModel([{ calls: [{ name: 'look' }] }, 'Done.']), tools: [look] })
    const chat = agent.conversation()
    await chat.send('Look')
    const [result] = resultsOf(chat.messages)
    expect(new Set(result?.value as string[]).size).toBe(1)
    expect(chat.tree.length).toBe(chat.messages.length + 1)
  })

  test.each([1, 2])('a fork onto open calls (message %i of the batch) makes their results up first', async index => {
    const chat = createAgent({ model: looks(), tools: [look] }).conversation()
    await chat.send('Go')
    const fork = chat.fork(chat.tree[index]?.id)
    expect(checkHistory(fork.messages)).toEqual([])
    const results = resultsOf(fork.messages)
    expect(results.map(({ status }) => status)).toEqual(
      index === 1 ? ['interrupted', 'interrupted'] : ['ok', 'interrupted'],
    )
    await fork.send('Go on')
    expect(checkHistory(fork.messages)).toEqual([])
  })

  test('a turn that was edited into being is exported as plain data', async () => {
    const chat = createAgent({ model: looks(), tools: [look] }).conversation()
    chat.title = 'Looking around'
    await chat.send('Go')
    const exported = chat.export()
    expect(exported).toMatchObject({ id: chat.id, title: 'Looking around', head: chat.head })
    expect(exported.nodes).toEqual(chat.tree)
    expect(exported.nodes[0]).not.toBe(chat.tree[0])
    expect(JSON.parse(JSON.stringify(exported.nodes))).toHaveLength(5)
  })

  test('a conversation asked for by its name is the same one', async () => {
    const agent = createAgent({ model: scriptedModel(['A', 'B']) })
    await agent.conversation('mine').send('One')
    const again = agent.conversation('mine')
    expect(again.messages.map(textOf)).toEqual(['One', 'A'])
    again.delete()
    expect(agent.conversation('mine').messages).toEqual([])
  })
})

describe('a given history', () => {
  const call = (id: string): Part => ({ type: 'call', id, name: 'look', args: {} })
  const result = (id: string): Part => ({ type: 'result', id, name: 'look', status: 'ok', value: 1 })

  test.each<{ what: string; messages: NewMessage[]; roles: string[] }>([
    {
      what: 'plain',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Yes?' },
      ],
      roles: ['user', 'assistant'],
    },
    {
      what: 'a dangling call is answered',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [call('a'), call('b')] },
        { role: 'tool', content: [result('a')] },
      ],
      roles: ['user', 'assistant', 'tool', 'tool'],
    },
    {
      what: 'a result for nothing is dropped',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'tool', content: [result('z')] },
      ],
      roles: ['user'],
    },
    {
      what: 'a call that somebody talked over is answered first',
      messages: [
        { role: 'assistant', content: [call('a')] },
        { role: 'user', content: 'Hm' },
      ],
      roles: ['assistant', 'tool', 'user'],
    },
    {
      what: 'results in another order are put in order',
      messages: [
        { role: 'assistant', content: [call('a'), call('b')] },
        { role: 'tool', content: [result('b')] },
        { role: 'tool', content: [result('a')] },
      ],
      roles: ['assistant', 'tool', 'tool'],
    },
    {
      what: 'results in one message are kept',
      messages: [
        { role: 'assistant', content: [call('a'), call('b')] },
        { role: 'tool', content: [result('a'), result('b')] },
      ],
      roles: ['assistant', 'tool'],
    },
  ])('$what', async ({ messages, roles }) => {
    const model = scriptedModel(['Fine.'])
    const chat = createAgent({ model }).conversation({ messages })
    expect(checkHistory(chat.messages)).toEqual([])
    expect(chat.messages.map(({ role }) => role)).toEqual(roles)
    await chat.send('Go on')
    expect(checkHistory(model.prompts[0]?.messages ?? [])).toEqual([])
  })

  test.each([
    { what: 'a role that there is not', message: { role: 'nobody', content: 'Hi' } },
    { what: 'a call that a user makes', message: { role: 'user', content: [call('a')] } },
    { what: 'no content', message: { role: 'user' } },
    { what: 'nothing', message: null },
  ])('$what is refused', ({ message }) => {
    const agent = createAgent({ model: scriptedModel([]) })
    expect(() => agent.conversation({ messages: [message as NewMessage] })).toThrow(
      expect.objectContaining({ code: 'message.invalid' }),
    )
  })

  test('whatever it is, what the model gets is valid', async () => {
    const part = fc.constantFrom<Part>(
      { type: 'text', text: 'Hm' },
      call('a'),
      call('b'),
      result('a'),
      result('b'),
      result('z'),
    )
    const message = fc.oneof(
      fc.record({ role: fc.constant('user' as const), content: fc.constant('Hi') }),
      fc.record({ role: fc.constant('assistant' as const), content: fc.array(part, { minLength: 1, maxLength: 3 }) }),
      fc.record({
        role: fc.constant('tool' as const),
        content: fc.array(fc.constantFrom(result('a'), result('b'), result('z')), { minLength: 1, maxLength: 2 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 5 }), async messages => {
        const model = scriptedModel(['Fine.'])
        await createAgent({ model }).conversation({ messages }).send('Go on')
        expect(checkHistory(model.prompts[0]?.messages ?? [])).toEqual([])
      }),
      { numRuns: 300, seed: 20261115 },
    )
  })
})

describe('an agent as a tool of another', () => {
  const below = (use: Parameters<typeof createAgent>[0]['use'] = []) =>
    createAgent({ name: 'helper', model: looks(), tools: [look], use })
  const above = (helper: ReturnType<typeof below>, use: Parameters<typeof createAgent>[0]['use'] = []) =>
    createAgent({
      model: scriptedModel([{ calls: [{ name: 'help', args: { task: 'Look around.' } }] }, 'Thanks.']),
      tools: [agentTool(helper, { name: 'help' })],
      use,
    })

  test('its hooks fire as in any turn; its history is its own', async () => {
    const [inner, outer] = [recorder({ name: 'inner' }), recorder({ name: 'outer' })]
    const { text, messages } = await above(below([inner]), [outer]).send('Go')
    expect(text).toBe('Thanks.')
    expect(messages).toHaveLength(4)
    expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: 'Done' })
    const count = (record: typeof inner, hook: string) => record.calls.filter(call => call.hook === hook).length
    expect([count(inner, 'afterTool'), count(outer, 'afterTool')]).toEqual([2, 1])
    expect([count(inner, 'afterTurn'), count(outer, 'afterTurn')]).toEqual([1, 1])
  })

  test('the guards of whoever calls it hold inside; other middleware does not reach in', async () => {
    const seen: string[] = []
    const guard = middleware({
      name: 'guard',
      guard: true,
      beforeTool(ctx) {
        seen.push(ctx.call.name)
        if (ctx.call.name === 'look') return block('not in my house')
      },
    })
    const plain = middleware({ name: 'plain', beforeTool: ctx => void seen.push(`plain ${ctx.call.name}`) })
    await above(below(), [guard, plain]).send('Go')
    expect(seen).toEqual(['plain help', 'help', 'look', 'look'])
  })

  test('its questions surface at the root, and are answered there', async () => {
    const asks = middleware({
      name: 'asks',
      async beforeModel(ctx) {
        if (ctx.step === 0) await ctx.ask('question', { from: 'below' })
      },
    })
    const chat = above(below([asks])).conversation()
    const turn = chat.send('Go')
    const asked: unknown[] = []
    for await (const event of turn)
      if (event.type === 'request.opened') {
        asked.push(event.payload)
        turn.answer(event.requestId, 'Yes.')
      }
    expect(asked).toEqual([{ from: 'below' }])
    expect((await turn).text).toBe('Thanks.')
  })

  test('its failure is a tool error, its usage counts above', async () => {
    const usage = { inputTokens: 4, outputTokens: 1 }
    const failing = createAgent({
      model: scriptedModel([{ text: 'Hm', usage }]),
      use: [middleware({ name: 'no', afterDecide: () => stop('no') })],
    })
    const { messages, status, usage: total } = await above(failing).send('Go')
    expect(status).toBe('completed')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'error' })
    expect(total.inputTokens).toBe(4)
    const broken = createAgent({ model: scriptedModel([{ error: new Error('down') }]) })
    expect((await above(broken).send('Go')).messages[2]?.content[0]).toMatchObject({ status: 'error' })
  })

  test('an interrupt ends both, each with a valid history', async () => {
    const hang = tool({ name: 'look', run: () => new Promise(() => {}) })
    const helper = createAgent({ model: looks(), tools: [hang] })
    const chat = above(helper).conversation()
    const turn = chat.send('Go')
    await new Promise(resolve => setImmediate(resolve))
    turn.interrupt()
    expect((await turn).status).toBe('interrupted')
    expect(checkHistory(chat.messages)).toEqual([])
    expect(chat.messages[2]?.content[0]).toMatchObject({ status: 'interrupted' })
  })

  test('an agent that calls itself meets the depth limit, as a tool error at each level', async () => {
    const tools: ReturnType<typeof agentTool>[] = []
    const model = scriptedModel(
      [
        ({ messages }) =>
          messages.at(-1)?.role === 'user' ? { calls: [{ name: 'self', args: { task: 'Deeper.' } }] } : 'Back.',
      ],
      { repeat: true },
    )
    const first = createAgent({ model, tools, maxDepth: 3 })
    const self = createAgent({ model, tools: [agentTool(first, { name: 'self' })], maxDepth: 3 })
    expect((await self.send('Go')).status).toBe('completed')
  })
})
