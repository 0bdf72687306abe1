import {
  again,
  block,
  type Chunk,
  createAgent,
  type Event,
  fail,
  finish,
  goto,
  type Message,
  type Model,
  middleware,
  rewind,
  skip,
  stop,
  textOf,
  tool,
} from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
const settle = () => new Promise<void>(resolve => setImmediate(resolve))

describe('what a model says', () => {
  test('a warning is an event; a chunk of a kind not known yet is left out', async () => {
    const chunks = [
      { type: 'warning', text: 'no temperature here' },
      { type: 'hologram', size: 3 },
      { type: 'text', text: 'Hi' },
      { type: 'text', text: '' },
    ] as readonly Chunk[]
    const turn = createAgent({ model: scriptedModel([{ chunks }]) }).send('Go')
    const events: Event[] = []
    for await (const event of turn) events.push(event)
    expect(events.find(({ type }) => (type as string) === 'model.warning')).toMatchObject({
      text: 'no temperature here',
    })
    expect((await turn).messages[1]?.content).toEqual([{ type: 'text', text: 'Hi' }])
  })

  test('reasoning keeps its signature, and ends with it; files and sources are parts', async () => {
    const chunks: readonly Chunk[] = [
      { type: 'reasoning', text: 'First ' },
      { type: 'reasoning', text: 'thought.', meta: 'signed' },
      { type: 'reasoning', text: 'Second.' },
      { type: 'text', text: 'A' },
      { type: 'source', url: 'https://example.com' },
      { type: 'text', text: 'B' },
    ]
    const { messages, text } = await createAgent({ model: scriptedModel([{ chunks }]) }).send('Go')
    expect(messages[1]?.content).toEqual([
      { type: 'reasoning', text: 'First thought.', meta: 'signed' },
      { type: 'reasoning', text: 'Second.' },
      { type: 'text', text: 'A' },
      { type: 'source', url: 'https://example.com' },
      { type: 'text', text: 'B' },
    ])
    expect(text).toBe('AB')
  })

  test('nothing at all is no message', async () => {
    const { messages, status, text } = await createAgent({ model: scriptedModel([{}]) }).send('Go')
    expect({ roles: messages.map(({ role }) => role), status, text }).toEqual({
      roles: ['user'],
      status: 'completed',
      text: '',
    })
  })

  test('a stream that cannot even be opened fails the turn', async () => {
    const model: Model = {
      id: 'broken',
      stream() {
        throw new Error('no such model')
      },
    }
    expect(await createAgent({ model }).send('Go').settled).toMatchObject({ status: 'failed', reason: 'no such model' })
  })
})

describe('what a hook may put into an append', () => {
  const changing = (role: string, change: (message: Message) => Message) =>
    middleware({
      name: 'changing',
      beforeAppend(ctx) {
        if (ctx.message.role === role) ctx.message = change(ctx.message)
      },
    })
  const run = async (role: string, change: (message: Message) => Message) => {
    const chat = createAgent({ model: looks(), tools: [look], use: [changing(role, change)] }).conversation()
    const result = await chat.send('Go').settled
    expect(checkHistory(chat.messages)).toEqual([])
    return { result, messages: chat.messages }
  }

  test('another text', async () => {
    const { messages, result } = await run('assistant', message => ({
      ...message,
      content: message.content.map(part => (part.type === 'text' ? { ...part, text: part.text.toUpperCase() } : part)),
    }))
    expect(result.text).toBe('DONE')
    expect(textOf(messages[1])).toBe('LOOKING.')
  })

  test('another value of a result', async () => {
    const { messages } = await run('tool', message => ({
      ...message,
      content: message.content.map(part => (part.type === 'result' ? { ...part, value: '***' } : part)),
    }))
    expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: '***' })
  })

  test.each<{ what: string; role: string; change: (message: Message) => Message }>([
    {
      what: 'no calls',
      role: 'assistant',
      change: message => ({ ...message, content: [{ type: 'text', text: 'x' }] }),
    },
    {
      what: 'another call',
      role: 'assistant',
      change: message => ({ ...message, content: [{ type: 'call', id: 'z', name: 'look', args: {} }] }),
    },
    {
      what: 'the result of another call',
      role: 'tool',
      change: message => ({ ...message, content: [{ type: 'result', id: 'z', name: 'look', status: 'ok', value: 1 }] }),
    },
    {
      what: 'text instead of a result',
      role: 'tool',
      change: message => ({ ...message, role: 'user', content: [{ type: 'text', text: 'x' }] }),
    },
    {
      what: "a result instead of the user's words",
      role: 'user',
      change: message => ({ ...message, role: 'tool', content: [] }),
    },
    { what: 'nothing', role: 'user', change: message => ({ ...message, content: [] }) },
  ])('not $what: the turn fails, the history holds', async ({ role, change }) => {
    const { result } = await run(role, change)
    expect(result).toMatchObject({ status: 'failed', error: { code: 'message.changed' } })
  })

  test.each([42, null, { role: 'user' }])('not %j', async value => {
    const odd = middleware({
      name: 'odd',
      beforeAppend(ctx) {
        ctx.message = value as unknown as Message
      },
    })
    const { status, error } = await createAgent({ model: looks(), tools: [look], use: [odd] }).send('Go').settled
    expect(status).toBe('failed')
    expect(error).toMatchObject({ code: 'hook.failed', by: 'odd', cause: { code: 'message.invalid' } })
  })
})

describe('goesOn tells what would happen', () => {
  test.each([
    { directive: again('more'), goesOn: true },
    { directive: goto('model'), goesOn: true },
    { directive: rewind(0), goesOn: true },
    { directive: finish('enough'), goesOn: false },
    { directive: stop('no'), goesOn: false },
    { directive: fail(new Error('no')), goesOn: false },
    { directive: undefined, goesOn: false },
  ])('after $directive.type: $goesOn', async ({ directive, goesOn }) => {
    const seen: boolean[] = []
    // After hooks run in reverse: the one that stands behind has spoken already.
    const use = [
      middleware({ name: 'first', afterDecide: ctx => void (ctx.step === 0 && seen.push(ctx.goesOn)) }),
      middleware({ name: 'behind', afterDecide: ctx => (ctx.step === 0 ? directive : undefined) }),
    ]
    await createAgent({ model: scriptedModel(['One', 'Two']), use }).send('Go').settled
    expect(seen[0]).toBe(goesOn)
  })

  test('while the model asks for tools, and while somebody has said something', async () => {
    const seen: boolean[] = []
    const watch = middleware({
      name: 'watch',
      beforeDecide: ctx => void seen.push(ctx.goesOn),
      afterStep: ctx => void seen.push(ctx.goesOn),
    })
    await createAgent({ model: looks(), tools: [look], use: [watch] }).send('Go')
    expect(seen).toEqual([true, true, false, false])
  })
})

describe('readers', () => {
  test('one that stops early leaves nothing behind', async () => {
    const chat = createAgent({ model: looks(), tools: [look] }).conversation()
    const turn = chat.send('Go')
    for await (const event of turn) if (event.type === 'message.added') break
    for await (const _text of turn.text) break
    expect((await turn).status).toBe('completed')
  })

  test('a listener that throws is told nothing more, and that is told to the others', async () => {
    const chat = createAgent({ model: scriptedModel(['Hi', 'Ho']) }).conversation()
    let told = 0
    const others: Event[] = []
    chat.subscribe(() => {
      told++
      throw new Error('my screen is broken')
    })
    const off = chat.subscribe({ event: event => others.push(event), delta: () => {} })
    expect((await chat.send('Go')).status).toBe('completed')
    expect(told).toBe(1)
    expect(others.find(({ type }) => type === 'hook.failed')).toMatchObject({
      name: 'listener',
      error: 'my screen is broken',
    })
    expect(others.map(({ seq }) => seq)).toEqual(others.map((_, i) => i + 1))
    off()
    const before = others.length
    await chat.send('More')
    expect(others).toHaveLength(before)
  })

  test('a turn says what it has cost and done so far', async () => {
    const usage = { inputTokens: 3, outputTokens: 2 }
    const hang = tool({ name: 'hang', run: () => new Promise(() => {}) })
    const chat = createAgent({
      model: scriptedModel([{ calls: [{ name: 'hang' }], usage }]),
      tools: [hang],
    }).conversation('named')
    const turn = chat.send('Go')
    await settle()
    expect(turn).toMatchObject({ steps: 1, usage, ended: false, conversationId: 'named', parent: undefined })
    turn.interrupt()
    expect(turn.ended).toBe(true)
  })
})

describe('the results that a turn ends with', () => {
  test('skip with a message answers with it; with part of a result, with that', async () => {
    const answer = (value: unknown) =>
      createAgent({
        model: scriptedModel([]),
        use: [middleware({ name: 'ready', beforeTurn: () => skip(value) })],
      }).send('Go')
    expect(await answer('Ready.')).toMatchObject({ text: 'Ready.', status: 'completed', by: 'ready' })
    expect(await answer({ text: 'Ready.' })).toMatchObject({ text: 'Ready.', status: 'completed' })
  })

  test('a wrap around the turn may give another result, or run it again on a branch of its own', async () => {
    const twice = middleware({
      name: 'twice',
      async wrapTurn(_ctx, next) {
        await next()
        return next()
      },
    })
    const chat = createAgent({ model: scriptedModel(['One', 'Two']), use: [twice] }).conversation()
    expect(await chat.send('Go')).toMatchObject({ status: 'completed', text: 'Two', steps: 2 })
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Two'])
    expect(chat.tree.filter(({ parentId }) => parentId === undefined)).toHaveLength(2)
    expect(checkHistory(chat.messages)).toEqual([])
  })
})

describe('a call that a wrap changed', () => {
  test.each([
    { how: 'stops', guard: () => stop('no'), status: 'stopped' },
    { how: 'fails', guard: () => fail(new Error('no')), status: 'failed' },
    {
      how: 'breaks',
      guard: () => {
        throw new Error('broken')
      },
      status: 'completed',
    },
  ])('does not run when a guard $how at it', async ({ guard, status }) => {
    const ran: unknown[] = []
    const spy = tool({ name: 'look', run: args => void ran.push(args) })
    const use = [
      middleware({ name: 'sneaky', wrapTool: (ctx, next) => next({ ...ctx.call, args: { changed: true } }) }),
      middleware({
        name: 'guard',
        guard: true,
        beforeTool: ctx => ((ctx.call.args as { changed?: boolean }).changed ? guard() : undefined),
      }),
    ]
    const turn = createAgent({ model: looks(), tools: [spy], use }).send('Go')
    const result = await turn.settled
    expect(result.status).toBe(status)
    expect(ran).toEqual([])
    expect(result.messages[2]?.content[0]).toMatchObject({ type: 'result', status: 'blocked' })
  })

  test('a guard may not change it itself', async () => {
    const guard = middleware({
      name: 'guard',
      guard: true,
      wrapTool: (ctx, next) => next({ ...ctx.call, args: { mine: true } }),
    })
    const { messages } = await createAgent({ model: looks(), tools: [look], use: [guard] }).send('Go')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked' })
    expect(JSON.stringify(messages[2])).toContain('may not change the input')
  })
})

describe('nothing more begins once a step is ended', () => {
  test('a retry of the model after a guard stopped its stream is refused', async () => {
    let attempts = 0
    const retry = middleware({
      name: 'retry',
      async wrapModel(_ctx, next) {
        attempts++
        await next()
        attempts++
        return next()
      },
    })
    const guard = middleware({ name: 'guard', guard: true, onChunk: () => stop('not that') })
    const model = scriptedModel(['One', 'Two'])
    const turn = createAgent({ model, use: [retry, guard] }).send('Go')
    expect(await turn.settled).toMatchObject({ status: 'stopped', by: 'guard' })
    expect(attempts).toBe(2)
    expect(model.prompts).toHaveLength(1)
  })

  test('a call that waits in its wrap while another stops the turn is blocked', async () => {
    const ran: string[] = []
    const spy = tool({ name: 'look', run: (_args, ctx) => void ran.push(ctx.call.id) })
    const use = [
      middleware({
        name: 'waits',
        async wrapTool(ctx, next) {
          if (ctx.call.id === 'b') await settle()
          return next()
        },
      }),
      middleware({ name: 'stops', afterTool: ctx => (ctx.call.id === 'a' ? stop('enough') : undefined) }),
    ]
    const model = scriptedModel([
      {
        calls: [
          { name: 'look', id: 'a' },
          { name: 'look', id: 'b', args: { n: 1 } },
        ],
      },
    ])
    const { status, messages } = await createAgent({ model, tools: [spy], use }).send('Go').settled
    expect(status).toBe('stopped')
    expect(ran).toEqual(['a'])
    expect(checkHistory(messages)).toEqual([])
  })
})

test('a guard that fails in an after hook withholds the result', async () => {
  const guard = middleware({
    name: 'guard',
    guard: true,
    afterTool() {
      throw new Error('cannot read it')
    },
  })
  const { messages } = await createAgent({ model: looks(), tools: [look], use: [guard] }).send('Go').settled
  expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked' })
  expect(JSON.stringify(messages)).not.toContain('seen')
})

test('a tool that answers for a person: a result of any status', async () => {
  const gives = middleware({
    name: 'gives',
    beforeTool: () => skip({ status: 'denied', value: 'by policy' }),
    afterTool: () => block('x'),
  })
  const turn = createAgent({ model: looks(), tools: [look], use: [gives] }).send('Go')
  expect((await turn).messages[2]?.content[0]).toMatchObject({ status: 'denied', value: 'by policy' })
})

test('closing an agent without a store interrupts what runs', async () => {
  const hang = tool({ name: 'look', run: () => new Promise(() => {}) })
  const agent = createAgent({ model: looks(), tools: [hang] })
  const turn = agent.conversation('named').send('Go')
  await settle()
  await agent.close()
  expect(await turn).toMatchObject({ status: 'interrupted', reason: 'the agent was closed' })
})
