import { createAgent, type Message, middleware, type NewMessage } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type TrimOptions, trim } from './trim.ts'

const said = (id: string, role: 'user' | 'assistant'): NewMessage => ({ id, role, content: id })
const call = (id: string, ...calls: string[]): NewMessage => ({
  id,
  role: 'assistant',
  content: calls.map(name => ({ type: 'call', id: name, name: 'look', args: {} })),
})
const result = (id: string): NewMessage => ({
  id: `r${id}`,
  role: 'tool',
  content: [{ type: 'result', id, name: 'look', status: 'ok', value: 'x' }],
})
const picture = (id: string): NewMessage => ({
  id: `r${id}`,
  role: 'tool',
  content: [
    {
      type: 'result',
      id,
      name: 'look',
      status: 'ok',
      value: ['Look:', { type: 'file', mediaType: 'image/png', data: 'A'.repeat(100_000) }],
    },
  ],
})

const short = [said('u1', 'user'), said('a1', 'assistant'), said('u2', 'user'), said('a2', 'assistant')]
const withCalls = [said('u1', 'user'), call('a1', 'c1', 'c2'), result('c1'), result('c2'), said('a2', 'assistant')]

async function sent(history: readonly NewMessage[], options: TrimOptions): Promise<string[]> {
  const model = scriptedModel(['done'])
  const chat = createAgent({ model, use: [trim(options)] }).conversation({ messages: history })
  await chat.send({ id: 'now', role: 'user', content: 'now' })
  return model.prompts[0]?.messages.map(({ id }) => id) ?? []
}

const one = (_message: Message): number => 1

describe('trim', () => {
  test.each<{ name: string; history: readonly NewMessage[]; options: TrimOptions; ids: string[] }>([
    {
      name: 'what fits is left alone',
      history: short,
      options: { maxMessages: 5 },
      ids: ['u1', 'a1', 'u2', 'a2', 'now'],
    },
    {
      name: 'a picture that a tool gave is not counted by its bytes',
      history: [said('u1', 'user'), call('a1', 'c1'), picture('c1'), said('a2', 'assistant')],
      options: { maxTokens: 4000 },
      ids: ['u1', 'a1', 'rc1', 'a2', 'now'],
    },
    { name: 'the oldest go first', history: short, options: { maxMessages: 3 }, ids: ['u2', 'a2', 'now'] },
    { name: 'it begins with a person', history: short, options: { maxMessages: 4 }, ids: ['u2', 'a2', 'now'] },
    { name: 'the newest message stays, whatever its size', history: short, options: { maxTokens: 0 }, ids: ['now'] },
    {
      name: 'a system message stays',
      history: [{ id: 's', role: 'system', content: 'Be kind.' }, ...short],
      options: { maxMessages: 4 },
      ids: ['s', 'u2', 'a2', 'now'],
    },
    {
      name: 'and counts',
      history: [{ id: 's', role: 'system', content: 'Be kind.' }, ...short],
      options: { maxTokens: 3, count: one },
      ids: ['s', 'now'],
    },
    {
      name: 'a system message in the middle stays in its place',
      history: [...short.slice(0, 2), { id: 's', role: 'system', content: 'Be kind.' }, ...short.slice(2)],
      options: { maxMessages: 6, keepFirst: 1 },
      ids: ['u1', 'a1', 's', 'u2', 'a2', 'now'],
    },
    { name: 'tokens count', history: short, options: { maxTokens: 3, count: one }, ids: ['u2', 'a2', 'now'] },
    {
      name: 'the first ones can be kept',
      history: short,
      options: { maxMessages: 4, keepFirst: 1 },
      ids: ['u1', 'u2', 'a2', 'now'],
    },
    { name: 'a call goes with its results', history: withCalls, options: { maxMessages: 4 }, ids: ['now'] },
    {
      name: 'a kept call keeps its results',
      history: withCalls,
      options: { maxMessages: 5, keepFirst: 2 },
      ids: ['u1', 'a1', 'rc1', 'rc2', 'now'],
    },
  ])('$name', async ({ history, options, ids }) => {
    expect(await sent(history, options)).toEqual(ids)
  })

  test('in a long turn the question stays in front of the newest calls', async () => {
    const calls = (id: string) => ({ calls: [{ name: 'missing', id }] })
    const model = scriptedModel([calls('c1'), calls('c2'), 'done'])
    const agent = createAgent({ model, breaker: false, use: [trim({ maxMessages: 2 })] })
    const chat = agent.conversation({ messages: short })
    const { status } = await chat.send({ id: 'now', role: 'user', content: 'now' })
    expect(status).toBe('completed')
    expect(model.prompts[2]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(model.prompts[2]?.messages[0]?.id).toBe('now')
    expect(chat.messages).toHaveLength(10)
  })

  test('what is edited between two calls is counted anew, from the edited message on', async () => {
    const counted: string[] = []
    const count = ({ id, content }: Message) => {
      counted.push(id)
      return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 1), 0)
    }
    const editing = middleware({
      name: 'editing',
      beforeModel(ctx) {
        counted.length = 0
        if (ctx.step === 1) ctx.messages.replace('a1', { id: 'long', role: 'assistant', content: 'long '.repeat(20) })
      },
    })
    const model = scriptedModel([{ calls: [{ name: 'missing', id: 'c1' }] }, 'done'])
    const agent = createAgent({ model, use: [editing, trim({ maxTokens: 60, count })] })
    await agent.conversation({ messages: short }).send({ id: 'now', role: 'user', content: 'now' })
    expect(model.prompts[0]?.messages.map(({ id }) => id)).toEqual(['u1', 'a1', 'u2', 'a2', 'now'])
    // The long one no longer fits, and what stands before it goes too.
    expect(model.prompts[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
    ])
    expect(counted).not.toContain('u1')
    expect(counted[0]).toBe('long')
  })

  test.each([
    { name: 'half of it is enough', overflows: 1, sent: [17, 7], status: 'completed' },
    { name: 'a quarter is', overflows: 2, sent: [17, 7, 3], status: 'completed' },
    { name: 'the newest message is too long by itself', overflows: 9, sent: [17, 7, 3, 1], status: 'failed' },
  ])('a context that is too long is halved and sent again: $name', async ({ overflows, sent, status }) => {
    const tooLong = { error: Object.assign(new Error('too long'), { code: 'model.overflow' }) }
    const model = scriptedModel([...Array(overflows).fill(tooLong), 'done'])
    const history = Array.from({ length: 16 }, (_, i) => said(`m${i}`, i % 2 ? 'assistant' : 'user'))
    const chat = createAgent({ model, use: [trim({ count: one })] }).conversation({ messages: history })
    const result = await chat.send('now').settled
    expect(model.prompts.map(({ messages }) => messages.length)).toEqual(sent)
    expect([result.status, result.reason]).toEqual([status, status === 'failed' ? 'too long' : 'done'])
    expect(chat.messages).toHaveLength(status === 'failed' ? 17 : 18)
  })

  test('another error is not its business', async () => {
    const model = scriptedModel([{ error: new Error('down') }])
    const { status } = await createAgent({ model, use: [trim()] }).send('now').settled
    expect([status, model.prompts.length]).toEqual(['failed', 1])
  })

  test('the history is not read by the hook itself', async () => {
    let read = false
    const model = scriptedModel([])
    const lazy = { ...model, async *stream() {} }
    const history = Array.from({ length: 50 }, (_, i) => said(`m${i}`, i % 2 ? 'assistant' : 'user'))
    const count = () => {
      read = true
      return 1
    }
    await createAgent({ model: lazy, use: [trim({ maxTokens: 5, count })] })
      .conversation({ messages: history })
      .send('hi')
    expect(read).toBe(false)
  })
})
