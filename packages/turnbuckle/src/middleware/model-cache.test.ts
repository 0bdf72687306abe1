import { type Chunk, createAgent, type Model, middleware, type Tool, tool } from 'turnbuckle'
import { type CacheStore, finishReason, memoryCache, modelCache, retry } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const model = (id = 'scripted') =>
  scriptedModel([({ messages }) => `reply to ${messages.length}`], { repeat: true, id })
const weather = tool({ name: 'weather', run: () => 'sunny' })

describe('modelCache', () => {
  test.each<{ title: string; first: object; second: object; calls: number }>([
    { title: 'the same request', first: {}, second: {}, calls: 1 },
    { title: 'other instructions', first: {}, second: { instructions: 'Be brief.' }, calls: 2 },
    { title: 'other tools', first: {}, second: { tools: [weather] as Tool[] }, calls: 2 },
    { title: 'another model', first: {}, second: { id: 'other' }, calls: 2 },
    { title: 'another message', first: {}, second: { text: 'Hello!' }, calls: 2 },
    {
      title: 'parameters in another order',
      first: { params: { a: 1, b: 2 } },
      second: { params: { b: 2, a: 1 } },
      calls: 1,
    },
  ])('$title: $calls', async ({ first, second, calls }) => {
    const cache = modelCache()
    let asked = 0
    for (const { id, text = 'Hi', params = {}, ...options } of [first, second] as {
      id?: string
      text?: string
      params?: object
    }[]) {
      const scripted = model(id)
      const setting = middleware({
        name: 'setting',
        beforeModel(ctx) {
          ctx.prompt = { ...ctx.prompt, params: { ...params } }
        },
      })
      const result = await createAgent({ model: scripted, use: [setting, cache], ...options }).send(text)
      expect(result.text).toBe('reply to 1')
      asked += scripted.prompts.length
    }
    expect(asked).toBe(calls)
  })

  test('a hit in a tool loop makes calls of its own: each has one result', async () => {
    const scripted = scriptedModel([{ calls: [{ name: 'weather', id: 'c' }] }, 'Sunny.'])
    const agent = createAgent({ model: scripted, tools: [weather], use: [modelCache()] })
    await agent.send('Weather?')
    const { messages, text } = await agent.send('Weather?')
    expect([text, scripted.prompts.length]).toEqual(['Sunny.', 2])
    const ids = messages.flatMap(({ content }) => content).map(part => ('id' in part ? part.id : ''))
    const [call, result] = ids.filter(Boolean)
    expect(call).toBe(result)
    expect(call).not.toBe('c')
  })

  test('before retry a hit skips it, and a failure is not kept', async () => {
    const scripted = scriptedModel([{ error: new Error('x') }, 'ok'])
    const agent = createAgent({ model: scripted, use: [modelCache(), retry({ baseMs: 0 })] })
    expect((await agent.send('a')).text).toBe('ok')
    expect((await agent.send('a')).text).toBe('ok')
    expect(scripted.prompts).toHaveLength(2)
  })

  test('a reply is good for so long', async () => {
    const clock = virtualClock()
    const scripted = model()
    const agent = createAgent({ model: scripted, clock, use: [modelCache({ ttlMs: 100 })] })
    await agent.send('a')
    await clock.advance(99)
    await agent.send('a')
    expect(scripted.prompts).toHaveLength(1)
    await clock.advance(1)
    await agent.send('a')
    expect(scripted.prompts).toHaveLength(2)
  })

  test('a reply that was cut is not kept: its last call would run as if it were whole', async () => {
    const cut = { calls: [{ name: 'weather' }], finish: 'length' }
    const scripted = scriptedModel([cut, 'Sunny.', cut])
    const agent = createAgent({ model: scripted, tools: [weather], use: [modelCache()] })
    for (let i = 0; i < 2; i++) {
      const { messages } = await agent.send('Weather?')
      expect(messages[2]?.content).toEqual([expect.objectContaining({ status: 'error' })])
    }
    expect(scripted.prompts).toHaveLength(3)
  })

  test('a hit ends for the reason that the model had', async () => {
    const scripted = scriptedModel([{ text: 'I may not say.', finish: 'content-filter' }])
    const agent = createAgent({ model: scripted, use: [modelCache(), finishReason()] })
    for (let i = 0; i < 2; i++)
      expect(await agent.send('a')).toMatchObject({ status: 'stopped', by: 'finish-reason', text: 'I may not say.' })
  })

  test('what a model did that runs the loop itself is not kept', async () => {
    let loops = 0
    const managed: Model = {
      id: 'managed',
      loop: 'observe',
      async *stream(): AsyncGenerator<Chunk> {
        loops++
        yield { type: 'call', id: 'c', name: 'Read', args: {} }
        yield { type: 'result', id: 'c', name: 'Read', status: 'ok', value: 'text' }
        yield { type: 'text', text: 'Read it.' }
      },
    }
    const agent = createAgent({ model: managed, use: [modelCache()] })
    for (let i = 1; i <= 2; i++) {
      const { text, messages } = await agent.send('Read')
      expect([text, loops]).toEqual(['Read it.', i])
      expect(messages[2]?.content).toEqual([expect.objectContaining({ status: 'ok' })])
    }
  })

  test('a store that fails is as if it were empty', async () => {
    const store: CacheStore = {
      get: () => Promise.reject(new Error('down')),
      set() {
        throw new Error('down')
      },
    }
    const { status } = await createAgent({ model: model(), use: [modelCache({ store })] }).send('a')
    expect(status).toBe('completed')
  })

  test('two judges with one question have two answers', async () => {
    const said: string[] = []
    const judges = [scriptedModel(['yes'], { id: 'one' }), scriptedModel(['no'], { id: 'two' })]
    const asking = middleware({
      name: 'asking',
      beforeModel: async ctx => {
        for (const judge of judges) said.push((await ctx.generate(judge, '?')).text)
      },
    })
    await createAgent({ model: model(), use: [modelCache(), asking] }).send('a')
    expect(said).toEqual(['yes', 'no'])
  })

  test('what is edited in the middle is another request; put back, it is the same again', async () => {
    const scripted = model()
    let first = 'one'
    const editing = middleware({
      name: 'editing',
      beforeModel(ctx) {
        const [given, ...rest] = ctx.prompt.messages
        if (given)
          ctx.prompt = { ...ctx.prompt, messages: [{ ...given, content: [{ type: 'text', text: first }] }, ...rest] }
      },
    })
    const messages = ['a', 'b', 'c'].map(content => ({ role: 'user' as const, content }))
    const agent = createAgent({ model: scripted, use: [editing, modelCache()] })
    const chat = agent.conversation({ messages })
    for (const text of ['one', 'two', 'one']) {
      first = text
      await chat.fork().send('now')
    }
    await agent.conversation({ messages }).send('now')
    expect(scripted.prompts.map(prompt => prompt.messages[0]?.content)).toEqual([
      [{ type: 'text', text: 'one' }],
      [{ type: 'text', text: 'two' }],
    ])
  })

  test('memoryCache forgets what was not used longest', () => {
    const store = memoryCache({ max: 2 })
    store.set('a', 1)
    store.set('b', 2)
    store.get('a')
    store.set('c', 3)
    expect(['a', 'b', 'c'].map(key => store.get(key))).toEqual([1, undefined, 3])
  })
})
