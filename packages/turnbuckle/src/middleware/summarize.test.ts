import { createAgent, middleware, type NewMessage, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { summarize } from './summarize.ts'

const long = (id: string, role: 'user' | 'assistant'): NewMessage => ({ id, role, content: `${id} `.repeat(100) })
const history = [long('u1', 'user'), long('a1', 'assistant'), long('u2', 'user'), long('a2', 'assistant')]
const call: NewMessage = {
  id: 'ac',
  role: 'assistant',
  content: [{ type: 'call', id: 'c', name: 'look', args: { a: 1 } }],
}
const result: NewMessage = {
  id: 'rc',
  role: 'tool',
  content: [{ type: 'result', id: 'c', name: 'look', status: 'ok', value: 'found' }],
}

describe('summarize', () => {
  test.each([
    {
      name: 'nothing while it is small',
      messages: history,
      over: 10_000,
      keep: 2,
      ids: ['u1', 'a1', 'u2', 'a2', 'now'],
    },
    { name: 'the older ones become a summary', messages: history, over: 50, keep: 2, ids: ['summary.u2', 'a2', 'now'] },
    {
      name: 'a call stays with its result',
      messages: [...history, call, result],
      over: 50,
      keep: 2,
      ids: ['summary.a2', 'ac', 'rc', 'now'],
    },
    {
      name: 'a system message stays',
      messages: [{ id: 's', role: 'system', content: 'Be kind.' } as NewMessage, ...history],
      over: 50,
      keep: 2,
      ids: ['s', 'summary.u2', 'a2', 'now'],
    },
    {
      name: 'nothing is left to summarise',
      messages: history,
      over: 50,
      keep: 9,
      ids: ['u1', 'a1', 'u2', 'a2', 'now'],
    },
  ])('$name', async ({ messages, over, keep, ids }) => {
    const model = scriptedModel(['done'])
    const small = scriptedModel(['short'])
    const chat = createAgent({ model, use: [summarize({ model: small, over, keep })] }).conversation({ messages })
    await chat.send({ id: 'now', role: 'user', content: 'now' })
    expect(model.prompts[0]?.messages.map(({ id }) => id)).toEqual(ids)
    expect(chat.messages).toHaveLength(messages.length + 2)
  })

  test('what a person says while the turn runs goes out as the question does', async () => {
    const small = scriptedModel(['short'], { repeat: true })
    const step = { text: 'long '.repeat(100), calls: [{ name: 'look' }] }
    const model = scriptedModel([step, step, step, 'done'])
    const look = tool({ name: 'look', run: () => 'seen' })
    const person = middleware({
      name: 'person',
      beforeTool: ctx => (ctx.step ? undefined : ctx.turn.interject('Also this.')),
    })
    const use = [summarize({ model: small, over: 50, keep: 2 }), person]
    await createAgent({ model, tools: [look], breaker: false, use }).send('The question.')
    const said = model.prompts.at(-1)?.messages.filter(({ role }) => role === 'user') ?? []
    expect(said.map(message => textOf(message).split('\n')[0])).toEqual([
      'Summary of the conversation so far:',
      'The question.',
      'Also this.',
    ])
  })

  test('a summary is carried on, not written again at each call', async () => {
    const model = scriptedModel(['done'], { repeat: true })
    const small = scriptedModel(['first', 'second'])
    const agent = createAgent({ model, use: [summarize({ model: small, over: 150, keep: 1 })] })
    const chat = agent.conversation({ messages: history })
    await chat.send('one')
    await chat.send('two')
    expect(small.prompts).toHaveLength(1)
    await chat.send('three '.repeat(200))
    expect(small.prompts).toHaveLength(2)
    expect(textOf(small.prompts[1]?.messages[0])).toContain('Summary so far:\nfirst')
    expect(textOf(small.prompts[1]?.messages[0])).not.toContain('u1')
    expect(textOf(model.prompts[2]?.messages[0])).toContain('second')
  })

  test('a branch that leaves before the end of the summary does not use it', async () => {
    const model = scriptedModel(['done'], { repeat: true })
    const small = scriptedModel(['first', 'second'])
    const agent = createAgent({ model, use: [summarize({ model: small, over: 150, keep: 1 })] })
    const chat = agent.conversation({ messages: history })
    await chat.send('one')
    await chat.fork('a1').send('other')
    expect(textOf(small.prompts[1]?.messages[0])).toMatch(/^user: u1/)
    expect(textOf(model.prompts[1]?.messages[0])).toContain('second')
  })

  test.each([
    { name: 'fails', script: [{ error: new Error('down') }] },
    { name: 'says nothing', script: [' '] },
  ])('the messages go out as they are when the model that writes $name', async ({ script }) => {
    const model = scriptedModel(['done'])
    const agent = createAgent({ model, use: [summarize({ model: scriptedModel(script), over: 50, keep: 2 })] })
    const { status } = await agent.conversation({ messages: history }).send('now')
    expect(status).toBe('completed')
    expect(model.prompts[0]?.messages).toHaveLength(5)
  })

  test('the newest messages, which are kept anyway, do not make it ask at each call', async () => {
    const model = scriptedModel(['done'], { repeat: true })
    const small = scriptedModel(['first', 'second', 'third', 'fourth'])
    const agent = createAgent({ model, use: [summarize({ model: small, over: 150, keep: 4 })] })
    const chat = agent.conversation({
      messages: [...history, ...history.map(({ role }, i) => long(`x${i}`, role as 'user'))],
    })
    for (const text of ['one', 'two', 'three']) await chat.send(text)
    expect(small.prompts).toHaveLength(1)
  })

  test("the running turn's question is sent, also when it is among what the summary stands for", async () => {
    const calls = (id: string) => ({ text: 'more '.repeat(100), calls: [{ name: 'look', id }] })
    const model = scriptedModel([calls('c1'), calls('c2'), calls('c3'), 'done'])
    const look = tool({ name: 'look', run: () => 'seen' })
    const use = [summarize({ model: scriptedModel(['short'], { repeat: true }), over: 100, keep: 1 })]
    await createAgent({ model, tools: [look], breaker: false, use }).send({
      id: 'now',
      role: 'user',
      content: 'Find it.',
    })
    for (const { messages } of model.prompts) expect(messages.map(({ id }) => id)).toContain('now')
    expect(model.prompts.at(-1)?.messages[0]?.id).toMatch(/^summary/)
  })

  test('after a failure it waits, twice as long each time, and the summary before stays in use', async () => {
    const down = { error: new Error('down') }
    const small = scriptedModel(['first', down, down, 'second'])
    const model = scriptedModel(['done'], { repeat: true })
    const agent = createAgent({ model, use: [summarize({ model: small, over: 50, keep: 1 })] })
    const chat = agent.conversation({ messages: history })
    const asked: number[] = []
    for (const text of 'abcde') {
      await chat.send(`${text} `.repeat(100))
      asked.push(small.prompts.length)
    }
    expect(asked).toEqual([1, 2, 3, 3, 4])
    for (const { messages } of model.prompts) expect(messages[0]?.id).toMatch(/^summary/)
  })

  test('a picture that a tool gave is named, not spelt out', async () => {
    const value = ['Here:', { type: 'file', mediaType: 'image/png', name: 'a.png', data: 'QUJD' }]
    const shown: NewMessage = { ...result, content: [{ type: 'result', id: 'c', name: 'look', status: 'ok', value }] }
    const small = scriptedModel(['short'])
    const use = [summarize({ model: small, over: 50, keep: 0 })]
    const messages = [...history, call, shown, long('a3', 'assistant')]
    await createAgent({ model: scriptedModel(['done']), use })
      .conversation({ messages })
      .send('now')
    expect(textOf(small.prompts[0]?.messages[0])).toContain('[look: ok] ["Here:","[a.png]"]')
  })
})
