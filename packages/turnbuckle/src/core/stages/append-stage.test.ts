import { createAgent, type Message, middleware, textOf, tool } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { run } from '../../../test/support/echo-turn.ts'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

describe('a hook may change a message or a call, not which one it is', () => {
  const renamed = (message: Message): Message => ({ ...message, id: `${message.id}-mine` })
  test.each<{ what: string; hooks: object }>([
    {
      what: 'another id in beforeAppend',
      hooks: {
        beforeAppend: (ctx: { message: Message }) => {
          ctx.message = renamed(ctx.message)
        },
      },
    },
    {
      what: 'no id in beforeAppend',
      hooks: {
        beforeAppend: (ctx: { message: Partial<Message> }) => {
          const { id: _, ...rest } = ctx.message
          ctx.message = rest
        },
      },
    },
    {
      what: 'another id in wrapAppend',
      hooks: { wrapAppend: (ctx: { message: Message }, next: (m: Message) => unknown) => next(renamed(ctx.message)) },
    },
    {
      what: 'another id in beforeTool',
      hooks: {
        beforeTool: (ctx: { call: object }) => {
          ctx.call = { ...ctx.call, id: 'other' }
        },
      },
    },
    {
      what: 'another id in wrapTool',
      hooks: { wrapTool: (ctx: { call: object }, next: (c: object) => unknown) => next({ ...ctx.call, id: 'other' }) },
    },
  ])('$what: it is recorded once, and told by its own', async ({ hooks }) => {
    const { events, says, chat } = await run([middleware({ name: 'm', ...hooks })])
    expect(says).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(checkHistory(chat.messages)).toEqual([])
    const told = events.flatMap(event => ('callId' in event ? [event.callId] : []))
    expect(new Set(told)).toEqual(new Set(['call_1_1']))
    const started = events.flatMap(event => (event.type === 'message.started' ? [event.messageId] : []))
    expect(chat.messages.map(({ id }) => id)).toEqual(expect.arrayContaining(started))
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
