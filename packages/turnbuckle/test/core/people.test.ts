import { block, createAgent, type Event, type Model, middleware, textOf, tool } from 'turnbuckle'
import { checkHistory, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { codeOf } from './code-of.ts'
import { resultsOf } from './results-of.ts'

const settle = () => new Promise<void>(resolve => setImmediate(resolve))
const deaf = tool({ name: 'deaf', run: () => new Promise(() => {}) })
const quick = tool({ name: 'quick', run: () => 'done' })

describe('ask', () => {
  const asking = (options: object = {}, kind = 'permission') => {
    const clock = virtualClock()
    const answers: unknown[] = []
    const asks = middleware({
      name: 'asks',
      async beforeModel(ctx) {
        answers.push(await ctx.ask(kind, { why: 'test' }, options).catch(error => error.code))
      },
    })
    const chat = createAgent({ model: scriptedModel(['Hi'], { repeat: true }), use: [asks], clock }).conversation()
    return { chat, answers, clock }
  }

  test('the first answer wins; the second is refused with what was decided', async () => {
    const { chat, answers } = asking()
    const turn = chat.send('Go')
    await settle()
    const [request] = chat.requests
    expect(request).toMatchObject({ kind: 'permission', payload: { why: 'test' }, turnId: turn.id, deadline: 300_000 })
    const id = request?.id ?? ''
    turn.answer(id, { decision: 'allow', scope: 'once' })
    expect(codeOf(() => chat.answer(id, { decision: 'deny' }))).toBe('request.answered')
    await turn
    expect(answers).toEqual([{ decision: 'allow', scope: 'once' }])
    expect(chat.requests).toEqual([])
  })

  test('late, unknown, foreign and malformed answers are refused, each with its code', async () => {
    const { chat, answers, clock } = asking()
    const turn = chat.send('Go')
    await settle()
    const id = chat.requests[0]?.id ?? ''
    expect(codeOf(() => chat.answer('nobody', {}))).toBe('request.unknown')
    for (const bad of [undefined, null, 'yes', {}, { decision: 'maybe' }, { decision: 'allow', scope: 'ever' }])
      expect(codeOf(() => chat.answer(id, bad))).toBe('request.invalid')
    const other = chat.fork(null).send('Beside')
    await settle()
    expect(codeOf(() => other.answer(id, { decision: 'allow' }))).toBe('request.foreign')
    expect(chat.requests).toHaveLength(2)
    await clock.advance(300_000)
    expect(codeOf(() => chat.answer(id, { decision: 'allow' }))).toBe('request.expired')
    expect(answers).toEqual(['request.expired', 'request.expired'])
    await turn
    await other
  })

  test.each([
    { options: { fallback: 'deny' }, gives: { decision: 'deny', reason: 'Nobody answered in time.' } },
    { options: {}, gives: 'request.expired' },
  ])('a turn may say that nobody will answer: $gives', async ({ options, gives }) => {
    const { chat, answers } = asking(options)
    const turn = chat.send('Go')
    await settle()
    const id = chat.requests[0]?.id ?? ''
    turn.expire(id)
    expect(codeOf(() => turn.expire(id))).toBe('request.expired')
    await turn
    expect(answers).toEqual([gives])
  })

  test.each([
    { fallback: 'deny', gives: { decision: 'deny', reason: 'Nobody answered in time.' } },
    { fallback: 'allow', gives: { decision: 'allow', reason: 'Nobody answered in time.' } },
    { fallback: { decision: 'deny' }, gives: { decision: 'deny' } },
  ])('after the deadline the fallback counts: $fallback', async ({ fallback, gives }) => {
    const { chat, answers, clock } = asking({ timeout: 1000, fallback })
    const turn = chat.send('Go')
    await clock.advance(999)
    expect(answers).toEqual([])
    await clock.advance(1)
    expect(answers).toEqual([gives])
    await turn
    expect(clock.timers).toBe(0)
  })

  test('a kind of your own, with a check of your own', async () => {
    const check = (answer: unknown) => {
      if (typeof answer !== 'number') throw new Error('A number, please.')
    }
    const { chat, answers } = asking({ check, timeout: Infinity }, 'rating')
    const turn = chat.send('Go')
    await settle()
    const { id, deadline } = chat.requests[0] ?? { id: '' }
    expect(deadline).toBeUndefined()
    expect(() => chat.answer(id, 'many')).toThrow('A number, please.')
    chat.answer(id, 5)
    await turn
    expect(answers).toEqual([5])
  })

  test('an interrupt ends the question; it is no denial', async () => {
    const asks = middleware({
      name: 'asks',
      guard: true,
      async beforeTool(ctx) {
        const { decision } = await ctx.ask('permission', ctx.call)
        if (decision === 'deny') return block('no')
      },
    })
    const model = scriptedModel([{ calls: [{ name: 'quick' }] }])
    const chat = createAgent({ model, tools: [quick], use: [asks] }).conversation()
    const turn = chat.send('Go')
    const events: Event[] = []
    for await (const event of turn) {
      events.push(event)
      if (event.type === 'request.opened') turn.interrupt()
    }
    expect(chat.requests).toEqual([])
    expect(chat.messages[2]?.content[0]).toMatchObject({ status: 'interrupted' })
    expect(checkHistory(chat.messages)).toEqual([])
    expect(events.at(-1)?.type).toBe('turn.interrupted')
  })

  test("a person's no is denied, a rule's is blocked", async () => {
    const asks = middleware({
      name: 'asks',
      guard: true,
      async beforeTool(ctx) {
        if (ctx.call.id === 'rule') return block('by rule')
        const { decision, reason } = await ctx.ask('permission', ctx.call)
        if (decision === 'deny') return block(reason)
      },
    })
    const model = scriptedModel([
      {
        calls: [
          { name: 'quick', id: 'rule' },
          { name: 'quick', id: 'person' },
        ],
      },
      'Done',
    ])
    const turn = createAgent({ model, tools: [quick], use: [asks] }).send('Go')
    for await (const event of turn)
      if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'deny', reason: 'not today' })
    const results = resultsOf((await turn).messages)
    expect(results.map(({ status, value }) => [status, value])).toEqual([
      ['blocked', 'by rule'],
      ['denied', 'not today'],
    ])
  })

  test('arguments that the person changed are looked at by the guards again, and used', async () => {
    const looked: unknown[] = []
    const ran: unknown[] = []
    const asks = middleware({
      name: 'asks',
      guard: true,
      async beforeTool(ctx) {
        looked.push(ctx.call.args)
        if (looked.length === 1) await ctx.ask('permission', ctx.call)
      },
    })
    const spy = tool({ name: 'quick', run: args => void ran.push(args) })
    const model = scriptedModel([{ calls: [{ name: 'quick', args: { path: '/' } }] }, 'Done'])
    const turn = createAgent({ model, tools: [spy], use: [asks] }).send('Go')
    for await (const event of turn)
      if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'allow', args: { path: '/tmp' } })
    expect(looked).toEqual([{ path: '/' }, { path: '/tmp' }])
    expect(ran).toEqual([{ path: '/tmp' }])
  })

  test('clocks stand still while a person is asked', async () => {
    const clock = virtualClock()
    const elapsed: number[] = []
    const asks = middleware({
      name: 'asks',
      timeout: 100,
      async beforeModel(ctx) {
        await ctx.clock.sleep(50)
        await ctx.ask('question', {})
        elapsed.push(ctx.clock.elapsed())
        await ctx.clock.sleep(40)
      },
    })
    const chat = createAgent({ model: scriptedModel(['Hi']), use: [asks], clock }).conversation()
    const turn = chat.send('Go')
    await clock.advance(50)
    // An hour's thought is not the hook's time.
    await clock.advance(200_000)
    chat.answer(chat.requests[0]?.id ?? '', { text: 'well' })
    await clock.advance(40)
    expect((await turn).status).toBe('completed')
    expect(elapsed).toEqual([50])
    expect(clock.timers).toBe(0)
  })

  test('the waiter is there before anyone can see the request', async () => {
    const { chat, answers } = asking({}, 'question')
    chat.subscribe(event => {
      if (event.type === 'request.opened') chat.answer(event.requestId, 'at once')
    })
    await chat.send('Go')
    expect(answers).toEqual(['at once'])
  })
})

describe('interject', () => {
  test('messages come after the results of the running batch, first in, first out', async () => {
    const clock = virtualClock()
    const slow = tool({ name: 'slow', run: () => new Promise(resolve => clock.after(100, () => resolve('done'))) })
    const calls = [1, 2, 3].map(i => ({ name: 'slow', id: `c${i}` }))
    const model = scriptedModel([{ calls }, 'I see.'])
    const chat = createAgent({ model, tools: [slow], clock, parallelTools: 1, breaker: false }).conversation()
    const turn = chat.send('Go')
    await clock.advance(150)
    turn.interject('Also this.')
    turn.interject('And that.')
    await clock.advance(300)
    await turn
    expect(chat.messages.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'tool', 'tool'],
      ...['user', 'user', 'assistant'],
    ])
    expect(chat.messages.slice(5).map(textOf)).toEqual(['Also this.', 'And that.', 'I see.'])
    expect(checkHistory(model.prompts[1]?.messages ?? [])).toEqual([])
  })

  test('while the model speaks its last word, another step answers it', async () => {
    const clock = virtualClock()
    const model = scriptedModel([{ text: 'Done.', delayMs: 10 }, 'That too.'], { clock })
    const chat = createAgent({ model, clock }).conversation()
    const turn = chat.send('Go')
    await clock.advance(5)
    turn.interject('Wait!')
    await clock.advance(5)
    expect((await turn).text).toBe('That too.')
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Done.', 'Wait!', 'That too.'])
  })

  test.each(['interrupt', 'stop', 'finish', 'fail'] as const)(
    'accepted means applied, also when %s ends the turn',
    async how => {
      const clock = virtualClock()
      const { stop, finish, fail } = await import('turnbuckle')
      const directives = { stop: stop('x'), finish: finish('x'), fail: fail(new Error('x')), interrupt: undefined }
      const ends = middleware({ name: 'ends', afterModel: () => directives[how] })
      const model = scriptedModel([{ text: 'Hm', delayMs: 10 }], { clock })
      const chat = createAgent({ model, clock, use: [ends] }).conversation()
      const turn = chat.send('Go')
      await clock.advance(5)
      turn.interject('Mind this.')
      if (how === 'interrupt') turn.interrupt()
      await clock.advance(5)
      await turn.settled
      expect(chat.messages.map(textOf)).toContain('Mind this.')
      expect(checkHistory(chat.messages)).toEqual([])
    },
  )

  test('is refused when the turn is over, with a typed error', async () => {
    const turn = createAgent({ model: scriptedModel(['Hi']) }).send('Go')
    await turn
    expect(codeOf(() => turn.interject('Too late'))).toBe('turn.ended')
  })

  test('the queue closes with the last decide: nothing is accepted and lost', async () => {
    const codes: unknown[] = []
    const late = middleware({
      name: 'late',
      afterDecide: ctx => void (ctx.step === 0 && ctx.turn.interject('Just in time.')),
      afterTurn: ctx => void codes.push(codeOf(() => ctx.turn.interject('Too late.'))),
    })
    const { messages } = await createAgent({ model: scriptedModel(['One', 'Two']), use: [late] }).send('Go')
    expect(messages.map(textOf)).toEqual(['Go', 'One', 'Just in time.', 'Two'])
    expect(codes).toEqual(['turn.ended'])
  })
})

describe('interrupt', () => {
  test('a deaf stream: the text shown so far is kept, and marked', async () => {
    const model = {
      id: 'deaf',
      async *stream() {
        yield { type: 'text' as const, text: 'Once upon ' }
        yield { type: 'text' as const, text: 'a time' }
        await new Promise(() => {})
      },
    }
    const chat = createAgent({ model }).conversation()
    const turn = chat.send('Tell')
    for await (const event of turn)
      if (event.type === 'message.delta' && event.text.includes('time')) turn.interrupt('enough')
    expect(await turn).toMatchObject({
      status: 'interrupted',
      reason: 'enough',
      by: 'person',
      text: 'Once upon a time',
    })
    expect(chat.messages[1]).toMatchObject({ role: 'assistant', interrupted: true })
  })

  test('finished calls keep their results, the others are interrupted; a late result is told, not used', async () => {
    const clock = virtualClock()
    const slow = tool({ name: 'slow', run: () => new Promise(resolve => clock.after(100, () => resolve('late'))) })
    const model = scriptedModel([{ calls: [{ name: 'quick' }, { name: 'slow', id: 's' }, { name: 'deaf' }] }])
    const chat = createAgent({ model, tools: [quick, slow, deaf], clock }).conversation()
    const log: string[] = []
    chat.subscribe(event => log.push(event.type))
    const turn = chat.send('Go')
    await clock.advance(10)
    turn.interrupt()
    // At once: nothing was awaited in between.
    expect(turn.ended).toBe(true)
    const statuses = resultsOf(chat.messages)
    expect(statuses.map(({ status }) => status)).toEqual(['ok', 'interrupted', 'interrupted'])
    const before = chat.messages
    await clock.advance(10_000)
    expect(log).toContain('tool.late')
    expect(chat.messages).toEqual(before)
    expect(checkHistory(before)).toEqual([])
  })

  test('after hooks run with a fresh signal; the next turn waits for them', async () => {
    const clock = virtualClock()
    const order: string[] = []
    const tidy = middleware({
      name: 'tidy',
      async afterTurn(ctx) {
        order.push(`${ctx.status} ${ctx.signal.aborted}`)
        await ctx.clock.sleep(100)
        order.push('tidied')
      },
      beforeTurn: () => void order.push('begins'),
    })
    const model = scriptedModel([{ calls: [{ name: 'deaf' }] }, 'Hi'])
    const chat = createAgent({ model, tools: [deaf], use: [tidy], clock }).conversation()
    const turn = chat.send('Go')
    await clock.advance(1)
    turn.interrupt()
    await turn
    const next = chat.send('Next')
    await clock.advance(50)
    expect(order).toEqual(['begins', 'interrupted false'])
    await clock.advance(200)
    await next
    expect(order).toEqual(['begins', 'interrupted false', 'tidied', 'begins', 'done false', 'tidied'])
    expect(clock.timers).toBe(0)
  })

  test('a signal given to send interrupts; nothing is left on it', async () => {
    const controller = new AbortController()
    const turn = createAgent({ model: scriptedModel([{ calls: [{ name: 'deaf' }] }]), tools: [deaf] })
      .conversation()
      .send('Go', { signal: controller.signal })
    await settle()
    controller.abort('closed the window')
    expect(await turn).toMatchObject({ status: 'interrupted', reason: 'closed the window' })
    const aborted = AbortSignal.abort('before')
    const never = createAgent({ model: scriptedModel([]) })
      .conversation()
      .send('Go', { signal: aborted })
    expect(await never).toMatchObject({ status: 'interrupted', steps: 0 })
  })

  test('twice is once, and after the end it is nothing', async () => {
    const turn = createAgent({ model: scriptedModel([{ calls: [{ name: 'deaf' }] }]), tools: [deaf] }).send('Go')
    await settle()
    turn.interrupt('first')
    turn.interrupt('second')
    expect((await turn).reason).toBe('first')
    const ends: Event[] = []
    for await (const event of turn) if (event.type.startsWith('turn.')) ends.push(event)
    expect(ends.map(({ type }) => type)).toEqual(['turn.started', 'turn.interrupted'])
  })

  test('a tool hears of it through its signal', async () => {
    const heard: unknown[] = []
    const listening = tool({
      name: 'deaf',
      run: (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            heard.push(signal.reason)
            reject(new Error('off'))
          })
        }),
    })
    const turn = createAgent({ model: scriptedModel([{ calls: [{ name: 'deaf' }] }]), tools: [listening] }).send('Go')
    await settle()
    turn.interrupt('stop it')
    await settle()
    expect(heard).toHaveLength(1)
  })
})

describe('turns', () => {
  test('a second send on a running handle is refused; another handle runs beside', async () => {
    const clock = virtualClock()
    const model = scriptedModel(
      [
        { text: 'One', delayMs: 10 },
        { text: 'Two', delayMs: 10 },
      ],
      { clock },
    )
    const chat = createAgent({ model, clock }).conversation()
    const turn = chat.send('Go')
    expect(codeOf(() => chat.send('Too soon'))).toBe('turn.running')
    expect(codeOf(() => chat.checkout('x'))).toBe('turn.running')
    const beside = chat.fork(null).send('Beside')
    await clock.advance(10)
    expect((await turn).text).toBe('One')
    expect((await beside).text).toBe('Two')
    expect(chat.messages.map(textOf)).toEqual(['Go', 'One'])
  })

  test('events are replayed from the first for any number of readers, and never throw', async () => {
    const turn = createAgent({ model: scriptedModel([{ text: 'Hm', error: new Error('cut') }]) }).send('Go')
    const read = async () => {
      const types: string[] = []
      for await (const { type } of turn) if (type !== 'message.delta') types.push(type)
      return types
    }
    const [first, second] = await Promise.all([read(), read()])
    await turn.settled
    expect(await read()).toEqual(first)
    expect(second).toEqual(first)
    expect(first.at(0)).toBe('turn.started')
    expect(first.at(-1)).toBe('turn.failed')
  })

  test('who comes when the turn is over gets what was shown, one delta a message', async () => {
    const chunks = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello' },
    ] as const
    const turn = createAgent({ model: scriptedModel([{ chunks }]), clock: virtualClock() }).send('Go')
    const read = async () => {
      const events: Event[] = []
      for await (const event of turn) events.push(event)
      return events
    }
    const live = await read()
    expect(live.map(({ type }) => type)).toContain('message.delta')
    expect(await read()).toEqual(live)
  })

  test('who comes in the middle of a reply gets the text so far in one piece, then deltas', async () => {
    const clock = virtualClock()
    const model: Model = {
      id: 'slow',
      async *stream() {
        for (const text of ['One', ' two', ' three']) {
          yield { type: 'text', text }
          await new Promise<void>(resolve => clock.after(10, resolve))
        }
      },
    }
    const turn = createAgent({ model, clock }).send('Go')
    await clock.advance(10)
    const pieces: unknown[] = []
    const reading = (async () => {
      for await (const event of turn)
        if (event.type === 'message.text' || event.type === 'message.delta')
          pieces.push([event.type, event.text, event.offset])
    })()
    await clock.advance(20)
    await reading
    expect(pieces).toEqual([
      ['message.text', 'One two', 0],
      ['message.delta', ' three', 7],
    ])
  })

  test('turn.text is what was shown, also for who comes late', async () => {
    const turn = createAgent({ model: scriptedModel([{ text: 'Hello there' }]) }).send('Go')
    await turn
    const late: string[] = []
    for await (const text of turn.text) late.push(text)
    expect(late.join('')).toBe('Hello there')
  })

  test('a deleted conversation takes no more turns', async () => {
    const chat = createAgent({ model: scriptedModel([{ calls: [{ name: 'deaf' }] }]), tools: [deaf] }).conversation()
    const turn = chat.send('Go')
    await settle()
    chat.delete()
    expect((await turn).status).toBe('interrupted')
    expect(codeOf(() => chat.send('More'))).toBe('conversation.deleted')
  })
})
