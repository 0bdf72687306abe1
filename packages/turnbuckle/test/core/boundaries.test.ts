import {
  type Context,
  createAgent,
  type Event,
  type Message,
  type Middleware,
  type Model,
  middleware,
  type NewEvent,
  type NewMessage,
  type Part,
  replace,
  rewind,
  type Snapshot,
  skip,
  tool,
} from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const echo = tool({ name: 'echo', run: args => args })
const calls = () => scriptedModel([{ calls: [{ name: 'echo' }] }, 'The end.'])

/** Runs one turn of it; what came of it. */
async function run(use: readonly Middleware[], model: Model = calls()) {
  const chat = createAgent({ model, tools: [echo], use }).conversation()
  const turn = chat.send('Go.')
  const events: Event[] = []
  for await (const event of turn) events.push(event)
  return { chat, events, result: await turn.settled, says: chat.messages.map(({ role }) => role) }
}

describe('a turn begins with what a user says', () => {
  test.each<{ what: string; sent: unknown }>([
    { what: "an assistant's message", sent: { role: 'assistant', content: 'Hi.' } },
    { what: 'a call', sent: { role: 'user', content: [{ type: 'call', id: 'a', name: 'echo', args: {} }] } },
    {
      what: 'a result',
      sent: { role: 'tool', content: [{ type: 'result', id: 'a', name: 'e', status: 'ok', value: 1 }] },
    },
    { what: 'a role that is none', sent: { role: 'banana', content: 'Hi.' } },
  ])('not with $what', async ({ sent }) => {
    const refused = { code: 'message.invalid' }
    const chat = createAgent({ model: calls(), tools: [echo] }).conversation()
    expect(() => chat.send(sent as NewMessage)).toThrow(expect.objectContaining(refused))
    expect(chat.messages).toEqual([])
    // Nor with what a hook makes of it.
    for (const hook of ['beforeTurn', 'beforeInput']) {
      const assigns = (ctx: { message: unknown }) => {
        ctx.message = sent
      }
      const { result, says } = await run([middleware({ name: 'm', [hook]: assigns } as never)])
      expect(result).toMatchObject({ status: 'failed', by: 'm', error: { cause: refused } })
      expect(says).toEqual(['user'])
    }
    const { result } = await run([middleware({ name: 'm', beforeInput: () => skip(sent) })])
    expect(result).toMatchObject({ status: 'failed', error: { cause: refused } })
  })

  test.each<{ what: string; sent: string | NewMessage }>([
    { what: 'no text', sent: '' },
    { what: 'no parts', sent: { role: 'user', content: [] } },
  ])('nor with $what, unless a hook has an answer to that', async ({ sent }) => {
    const model = scriptedModel(['Hi.'])
    const chat = createAgent({ model, use: [middleware({ name: 'm' })] }).conversation()
    expect(await chat.send(sent).settled).toMatchObject({ status: 'failed', error: { code: 'message.empty' } })
    expect(chat.messages).toEqual([])
    await chat.send('Go.')
    expect(checkHistory(chat.messages)).toEqual([])
    const answers = middleware({ name: 'answers', beforeTurn: () => skip('Say something.') })
    expect(await createAgent({ model, use: [answers] }).send(sent)).toMatchObject({ text: 'Say something.' })
  })

  test('nor is nothing interjected', async () => {
    const turn = createAgent({ model: scriptedModel(['Hi.']) }).send('Go.')
    expect(() => turn.interject('')).toThrow(expect.objectContaining({ code: 'message.empty' }))
    await turn
  })

  test('a rewind to before the turn goes on with its message', async () => {
    let start: Snapshot | undefined
    const back = middleware({
      name: 'back',
      beforeTurn: ctx => {
        start = ctx.snapshot()
      },
      afterModel: ctx => (ctx.step === 0 ? rewind(start as Snapshot) : undefined),
    })
    const model = scriptedModel(['One.', 'Two.'])
    const { says } = await run([back], model)
    expect(says).toEqual(['user', 'assistant'])
    expect(model.prompts.map(({ messages }) => messages.length)).toEqual([1, 1])
  })

  test('what would leave the turn without its message is not restored', async () => {
    let start: Snapshot | undefined
    let refused: unknown
    const back = middleware({
      name: 'back',
      beforeTurn: ctx => {
        start = ctx.snapshot()
        ctx.restore(start)
      },
      beforeModel: ctx => {
        try {
          ctx.restore(start as Snapshot)
        } catch (error) {
          refused = error
        }
      },
    })
    const { says } = await run([back], scriptedModel(['One.']))
    expect(refused).toMatchObject({ code: 'history.orphan' })
    expect(says).toEqual(['user', 'assistant'])
  })
})

describe('no message says nothing, or what its role does not', () => {
  test.each<{ what: string; added: unknown; code: string }>([
    { what: 'an empty text', added: { role: 'user', content: '' }, code: 'message.empty' },
    { what: 'no parts', added: { role: 'user', content: [] }, code: 'message.empty' },
    { what: 'an unknown role', added: { role: 'banana', content: 'Hi.' }, code: 'message.invalid' },
    { what: "a tool's text", added: { role: 'tool', content: 'Hi.' }, code: 'message.invalid' },
    {
      what: "a user's call",
      added: { role: 'user', content: [{ type: 'call', id: 'z', name: 'echo', args: {} }] },
      code: 'message.invalid',
    },
    { what: 'nothing', added: null, code: 'message.invalid' },
  ])('$what is not put into the history', async ({ added, code }) => {
    let refused: unknown
    const adds = middleware({
      name: 'adds',
      beforeModel: ctx => {
        try {
          ctx.messages.append(added as NewMessage)
        } catch (error) {
          refused = error
        }
      },
    })
    const { chat } = await run([adds])
    expect(refused).toMatchObject({ code })
    expect(checkHistory(chat.messages)).toEqual([])
  })

  test.each(['beforeModel', 'afterModel'])('an empty text in a reply of %s is left out', async hook => {
    const content: Part[] = [{ type: 'text', text: '' }]
    const gives = () => (hook === 'beforeModel' ? skip(content) : replace({ role: 'assistant', content }))
    const { says, chat } = await run([middleware({ name: 'm', [hook]: gives } as never)], scriptedModel(['Hi.']))
    expect(says).toEqual(['user'])
    expect(checkHistory(chat.messages)).toEqual([])
  })

  test('a reply that was shown and then emptied is withdrawn', async () => {
    const blank = middleware({
      name: 'blank',
      beforeAppend: ctx => {
        if (ctx.message.role === 'assistant') ctx.message = { ...ctx.message, content: [] }
      },
    })
    const { events, result, says } = await run([blank], scriptedModel(['Hi.']))
    expect(result).toMatchObject({ status: 'failed', error: { code: 'message.changed' } })
    expect(says).toEqual(['user'])
    const told = events
      .filter(event => 'messageId' in event && String(event.messageId).endsWith('a0'))
      .map(({ type }) => type)
    expect(told).toEqual(['message.started', 'message.delta', 'message.discarded'])
  })
})

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

describe('calls that hooks give', () => {
  const call = (id?: string): Part => ({ type: 'call', id, name: 'echo', args: {} }) as Part
  const gives = (content: readonly Part[]) => ({ id: 'kept', role: 'assistant' as const, content })

  test.each<{ what: string; replies: readonly Message[] }>([
    { what: 'the ids of a reply that was given before', replies: [gives([call('k')]), gives([call('k')])] },
    { what: 'one id twice', replies: [gives([call('k'), call('k')])] },
    { what: 'no ids', replies: [gives([call(), call()])] },
  ])('with $what: each has its own, and one result', async ({ replies }) => {
    const cache = middleware({
      name: 'cache',
      beforeModel: ({ step }) => (replies[step] ? skip(replies[step]) : undefined),
    })
    const { chat, result } = await run([cache], scriptedModel(['The end.']))
    expect(result.status).toBe('completed')
    expect(checkHistory(chat.messages)).toEqual([])
    expect(chat.messages.filter(({ role }) => role === 'tool')).toHaveLength(2)
  })

  test.each([{ given: 'echo' }, { given: [1] }, { given: [null] }, { given: [{ args: {} }] }])(
    'of $given none is made: the hook has failed, and the calls of the model count',
    async ({ given }) => {
      const { says, events } = await run([middleware({ name: 'm', afterDetect: () => replace(given as never) })])
      expect(says).toEqual(['user', 'assistant', 'tool', 'assistant'])
      expect(events.filter(({ type }) => type === 'hook.failed').length).toBeGreaterThan(0)
    },
  )

  test('a result in the same reply goes with its call', async () => {
    const ran = { type: 'result', id: 'k', name: 'echo', status: 'ok', value: 1 } as const
    const cache = middleware({
      name: 'cache',
      wrapModel: (ctx, next) => (ctx.step < 1 ? gives([call('k'), ran, { type: 'text', text: 'Hm.' }]) : next()),
      afterDecide: ctx => (ctx.step < 1 ? replace(true) : undefined),
    })
    const { chat } = await run([cache], scriptedModel([{ calls: [{ name: 'echo', id: 'k' }] }, 'The end.']))
    expect(checkHistory(chat.messages)).toEqual([])
  })

  test.each(['beforeTools', 'wrapTools'])('in %s twice the same: it is not run twice', async hook => {
    let ran = 0
    const count = tool({ name: 'count', run: () => ++ran })
    const twice = (ctx: { calls: readonly Part[] }, next?: (calls: readonly Part[]) => unknown) => {
      const both = [...ctx.calls, ...ctx.calls]
      if (next) return next(both)
      ctx.calls = both
    }
    const agent = createAgent({
      model: scriptedModel([{ calls: [{ name: 'count' }] }]),
      tools: [count],
      use: [middleware({ name: 'm', [hook]: twice } as never)],
    })
    const { error, messages } = await agent.send('Go.').settled
    expect(error).toMatchObject({ code: 'call.unknown' })
    expect(ran).toBe(0)
    expect(checkHistory(messages)).toEqual([])
  })
})

describe('what the loop alone tells', () => {
  const forged: NewEvent = {
    type: 'turn.completed',
    outcome: 'completed',
    reason: '',
    by: '',
    text: '',
    usage: { inputTokens: 0, outputTokens: 0 },
  }

  test('a hook that tells the end of a turn has failed', async () => {
    const { events, result } = await run([middleware({ name: 'm', afterModel: ctx => ctx.emit(forged) })])
    expect(events.filter(({ type }) => type === 'turn.completed')).toHaveLength(1)
    expect(events.at(-1)?.type).toBe('turn.completed')
    expect(events.find(({ type }) => type === 'hook.failed')).toMatchObject({
      error: expect.stringContaining('search.done'),
    })
    expect(result.steps).toBe(2)
  })

  test('and so has a tool', async () => {
    const forges = tool({ name: 'echo', run: (_args, ctx) => ctx.emit({ type: 'message.added' } as never) })
    const { messages } = await createAgent({ model: calls(), tools: [forges] }).send('Go.')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'error' })
  })

  test.each(['afterTurn', 'wrapTurn'])('a turn does not end in %s as nobody knows what', async hook => {
    const odd: object = { status: 'banana' }
    const give = async (_ctx: Context, next?: () => Promise<object>) =>
      next ? { ...(await next()), ...odd } : replace(odd)
    const { events, result } = await run([middleware({ name: 'm', [hook]: give } as never)])
    expect(events.at(-1)?.type).toBe(`turn.${result.status}`)
    expect(['completed', 'failed']).toContain(result.status)
  })

  test('onEvent knows its turn from the first event on', async () => {
    const seen: (string | undefined)[] = []
    const first = middleware({
      name: 'first',
      onEvent: (event, ctx) => {
        if (event.type !== 'turn.started') return
        seen.push(ctx.turn.id)
        ctx.turn.interrupt('at once')
      },
    })
    const { events, result, says } = await run([first])
    expect(seen).toEqual([events[0]?.turnId])
    expect(result).toMatchObject({ status: 'interrupted', steps: 0 })
    expect(says).toEqual(['user'])
  })
})

describe('what a model may do wrong', () => {
  test('a usage that is no number is none: sums and limits go on', async () => {
    const model = scriptedModel([{ chunks: [{ type: 'usage' } as never, { type: 'text', text: 'Hi.' }] }])
    expect((await createAgent({ model }).send('Go.')).usage).toEqual({ inputTokens: 0, outputTokens: 0 })
  })

  test('a call without a name is one of an unknown tool', async () => {
    const model = scriptedModel([{ chunks: [{ type: 'call', id: 'a', args: {} } as never] }, 'The end.'])
    const { messages } = await createAgent({ model, tools: [echo] }).send('Go.')
    expect(messages[2]?.content[0]).toMatchObject({
      status: 'error',
      value: expect.stringContaining('Tools here: echo'),
    })
  })

  test.each([undefined, 'intercept' as const])('its stream throws when nobody reads on (loop: %s)', async loop => {
    const stream = () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => {}),
        return: () => {
          throw new Error('no')
        },
      }),
    })
    const turn = createAgent({ model: { id: 'odd', ...(loop ? { loop } : {}), stream } }).send('Go.')
    await new Promise(setImmediate)
    turn.interrupt('enough')
    expect(await turn).toMatchObject({ status: 'interrupted', reason: 'enough' })
  })
})
