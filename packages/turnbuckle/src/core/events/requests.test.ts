import { type AnswerOptions, block, createAgent, type Event, type Middleware, middleware, tool } from 'turnbuckle'
import { approval, continuation } from 'turnbuckle/middleware'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test, vi } from 'vitest'
import { codeOf } from '../../../test/support/code-of.ts'
import { resultsOf } from '../../../test/support/results-of.ts'

const settle = () => new Promise<void>(resolve => setImmediate(resolve))
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

test('an answer to a request of another conversation is foreign', async () => {
  const asks = middleware({
    name: 'asks',
    beforeModel: async ctx => void (await ctx.ask('clarification', 'Which?')),
  })
  const agent = createAgent({ model: scriptedModel(['Hi', 'Hi']), use: [asks] })
  const [one, other] = [agent.conversation(), agent.conversation()]
  const turns = [one.send('Go'), other.send('Go')]
  while (!one.requests.length || !other.requests.length) await Promise.resolve()
  const id = other.requests[0]?.id ?? ''
  expect(codeOf(() => one.answer(id, { text: 'This' }))).toBe('request.foreign')
  expect(codeOf(() => turns[0]?.answer(id, { text: 'This' }))).toBe('request.foreign')
  other.answer(id, { text: 'This' })
  one.answer(one.requests[0]?.id ?? '', { text: 'That' })
  await Promise.all(turns)
  expect(codeOf(() => one.answer(id, { text: 'This' }))).toBe('request.unknown')
})

describe('a question that a process has left open', () => {
  const quickly = tool({ name: 'quick', run: () => 'done' })
  const calls = { calls: [{ name: 'quick', id: 'c1' }] }
  /** Sends a turn, answers as many of its questions as there are answers, and parks it at the next. */
  const parked = async (use: readonly Middleware[], answers: readonly (readonly [unknown, AnswerOptions])[] = []) => {
    const [store, clock] = [memoryStore(), virtualClock()]
    const agent = createAgent({ model: scriptedModel([calls]), tools: [quickly], use, store, clock })
    const turn = agent.conversation('chat').send('Go')
    const left = [...answers]
    for await (const event of turn) {
      if (event.type !== 'request.opened') continue
      const next = left.shift()
      if (!next) break
      turn.answer(event.requestId, ...next)
    }
    await agent.close()
    const other = createAgent({ model: scriptedModel(['Done']), tools: [quickly], use, store, clock })
    const chat = await other.open('chat')
    return { chat, clock, other, id: chat.requests[0]?.id ?? '' }
  }

  test('refuses what the process that asked would refuse: its form, its people, a second vote', async () => {
    const use = () => [approval({ quorum: { needed: 2, of: ['bob', 'carol'] } })]
    const { chat, other, id } = await parked(use(), [[{ decision: 'allow' }, { by: 'bob', owner: 'alice' }]])
    const give = (answer: unknown, by: string) => codeOf(() => chat.answer(id, answer, { by, owner: 'alice' }))
    expect(give({ decision: 'allow' }, 'bob')).toBe('request.invalid')
    expect(give({ decision: 'allow' }, 'eve')).toBe('request.foreign')
    expect(give({ decision: 'allow', by: 'carol' }, 'carol')).toBe('request.invalid')
    expect(give({ decision: 'allow', reason: { a: 1 } }, 'carol')).toBe('request.invalid')
    await chat.answer(id, { decision: 'allow' }, { by: 'carol', owner: 'alice' })
    const result = await other.resume('chat')
    expect(resultsOf(result?.messages ?? [])).toMatchObject([{ status: 'ok' }])
  })

  test('refuses a malformed answer of a kind that its asker has described', async () => {
    const { chat, id } = await parked([continuation({ max: 0, more: 5 })])
    for (const bad of ['yes', {}, { decision: 'maybe' }, { decision: 'allow', more: 9 }])
      expect(codeOf(() => chat.answer(id, bad))).toBe('request.invalid')
    await chat.answer(id, { decision: 'allow' })
    expect(codeOf(() => chat.answer(id, { decision: 'deny' }))).toBe('request.answered')
  })

  test('refuses an answer after its deadline, also when nobody runs the turn', async () => {
    const { chat, clock, other, id } = await parked([approval({ timeout: 1000 })])
    await clock.advance(1000)
    expect(codeOf(() => chat.answer(id, { decision: 'allow' }))).toBe('request.expired')
    const turn = other.resume('chat')
    await clock.advance(0)
    const result = await turn
    expect(resultsOf(result?.messages ?? [])).toMatchObject([{ status: 'denied', value: 'Nobody answered in time.' }])
  })

  test('is opened again where only its asker could see that the answer makes no sense', async () => {
    const asked: unknown[] = []
    const even = middleware({
      name: 'even',
      async beforeModel(ctx) {
        const check = (answer: unknown) => {
          if (Number(answer) % 2) throw new Error('An even number, please.')
        }
        asked.push(await ctx.ask('number', 'Which?', { check }))
      },
    })
    const { chat, other, id } = await parked([even])
    await chat.answer(id, 3)
    const turn = other.resume('chat')
    await settle()
    const [again] = chat.requests
    expect(again).toMatchObject({ kind: 'number', again: { requestId: id, problem: 'An even number, please.' } })
    expect(codeOf(() => chat.answer(again?.id ?? '', 5))).toBe('request.invalid')
    chat.answer(again?.id ?? '', 4)
    await turn
    expect(asked).toEqual([4])
  })

  test('is answered by the loop that answers a turn which was never left', async () => {
    const ask = (name: string) =>
      middleware({
        name,
        guard: true,
        async beforeTool(ctx) {
          const { decision } = await ctx.ask('permission', ctx.call)
          if (decision === 'deny') return block('no')
        },
      })
    const { other } = await parked([ask('first'), ask('second')], [[{ decision: 'allow' }, {}]])
    const turn = other.resume('chat')
    const asked: string[] = []
    if (turn)
      for await (const event of turn)
        if (event.type === 'request.opened') {
          asked.push(event.requestId)
          turn.answer(event.requestId, { decision: 'allow' })
        }
    expect(asked).toEqual([expect.stringContaining('second')])
    expect(resultsOf((await turn)?.messages ?? [])).toMatchObject([{ status: 'ok' }])
  })

  test('waits without a deadline, which one that nothing keeps has', async () => {
    const { chat } = await parked([approval()])
    expect(chat.requests).toMatchObject([{ kind: 'permission' }])
    expect(chat.requests[0]).not.toHaveProperty('deadline')
    const model = scriptedModel([calls, 'Done'])
    const unkept = createAgent({ model, tools: [quickly], use: [approval()], clock: virtualClock() }).conversation()
    const turn = unkept.send('Go')
    await settle()
    expect(unkept.requests).toMatchObject([{ deadline: 300_000 }])
    turn.interrupt()
    await turn
  })
})

describe('a question of a turn that another process works on', () => {
  /** A turn of ada's that waits for grace; and the handle of another process, on the same driver. */
  const asked = async () => {
    const asks = middleware({
      name: 'asks',
      beforeModel: async ctx => void (await ctx.ask('color', {}, { to: ['grace'] })),
    })
    const { driver } = memoryStore()
    const here = createAgent({ model: scriptedModel(['Hi']), use: [asks], store: createStore(driver) })
    const turn = here.conversation({ id: 'c', owner: 'ada' }).send('Go')
    for await (const event of turn) if (event.type === 'request.opened') break
    const other = createAgent({ model: scriptedModel([]), store: createStore(driver, { waitMs: 0 }) })
    const chat = await other.open('c')
    return { turn, chat, id: chat.requests[0]?.id ?? '', driver }
  }

  test('is not the question of one whom the other process calls the owner', async () => {
    const { turn, chat, id } = await asked()
    await expect(chat.answer(id, 'red', { by: 'bob', owner: 'bob' })).rejects.toMatchObject({ code: 'request.foreign' })
    await chat.answer(id, 'blue', { by: 'grace', owner: 'bob' })
    expect(await turn).toMatchObject({ text: 'Hi' })
  })

  test('stays open where the store fails at once, and is answered when it works again', async () => {
    const { turn, chat, id, driver } = await asked()
    const reading = vi.spyOn(driver, 'conversation').mockImplementation(() => {
      throw new Error('The store is busy.')
    })
    await expect(chat.answer(id, 'red', { by: 'grace' })).rejects.toThrow('The store is busy.')
    reading.mockRestore()
    expect(chat.requests).toMatchObject([{ id }])
    await chat.answer(id, 'blue', { by: 'grace' })
    expect(await turn).toMatchObject({ text: 'Hi' })
  })
})

test('who answered is told, and is not part of the answer', async () => {
  const asks = middleware({ name: 'asks', beforeModel: async ctx => void (await ctx.ask('permission', {})) })
  const turn = createAgent({ model: scriptedModel(['Hi']), use: [asks] }).send('Go')
  const told: Event[] = []
  for await (const event of turn) {
    if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'allow' }, { by: 'alice' })
    if (event.type === 'request.answered') told.push(event)
  }
  expect(told).toMatchObject([{ decision: { decision: 'allow' }, by: 'alice' }])
  expect(told[0]).not.toHaveProperty('decision.by')
})
