import { createAgent, type Event, middleware, stop, type Turn, textOf, tool } from 'turnbuckle'
import { checkHistory, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { resultsOf } from '../../../test/support/results-of.ts'

const redact = () =>
  middleware({
    name: 'redact',
    beforeAppend(ctx) {
      ctx.message = {
        ...ctx.message,
        content: [{ type: 'text', text: textOf(ctx.message).replaceAll('secret', '***') }],
      }
    },
  })
const settle = () => new Promise<void>(resolve => setImmediate(resolve))
const deaf = tool({ name: 'deaf', run: () => new Promise(() => {}) })
const quick = tool({ name: 'quick', run: () => 'done' })

test('an interrupt before the message was looked at records nothing of it', async () => {
  const chat = createAgent({ model: scriptedModel(['Hello.']), use: [redact()] }).conversation()
  const turn = chat.send('my secret')
  turn.interrupt()
  expect((await turn).status).toBe('interrupted')
  expect(chat.messages).toEqual([])
})

test('an interjection that an interrupt kept from being heard goes through the hooks of the next turn', async () => {
  const model = scriptedModel(['One.', 'Two.', 'Three.'])
  const chat = createAgent({ model, use: [redact()] }).conversation()
  const turn = chat.send('Hi')
  for await (const event of turn)
    if (event.type === 'message.started') {
      turn.interject('another secret')
      turn.interrupt()
    }
  await chat.send('Go on')
  expect(chat.messages.map(textOf)).toEqual(['Hi', 'One.', 'Go on', 'Two.', 'another ***', 'Three.'])
})

test.each([
  { what: 'with something to say', stops: true },
  { what: 'with an interjection that is left', stops: false },
])('a turn $what that is interrupted where a hook hangs does not keep the next one waiting', async ({ stops }) => {
  const clock = virtualClock()
  const hangs = middleware({
    name: 'hangs',
    beforeAppend: ({ message }) => (message.role === 'assistant' ? new Promise<never>(() => {}) : undefined),
    afterModel: () => (stops ? stop('enough', { say: 'Good bye.' }) : undefined),
  })
  const agent = createAgent({ model: scriptedModel(['One.', 'Two.', 'Three.']), use: [hangs], clock })
  const chat = agent.conversation()
  const turn = chat.send('Hi')
  if (!stops) turn.interject('By the way.')
  await clock.advance(1000)
  turn.interrupt()
  agent.disable('hangs')
  const next = chat.send('Go on')
  // However long hooks may take to clean up.
  await clock.advance(5000)
  expect((await next).status).toBe('completed')
  expect(clock.timers).toBe(0)
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

  test.each([
    { what: 'a tool', calls: [{ name: 'self' }] },
    { what: 'a model', calls: [] },
  ])(
    '$what that interrupts its own turn as it is called, and never returns, does not hold the next turn',
    async ({ calls }) => {
      let turn: Turn | undefined
      const hangs = () => {
        turn?.interrupt('from inside')
        return new Promise<never>(() => {})
      }
      const scripted = scriptedModel(calls.length ? [{ calls }, 'Next.'] : ['Next.'])
      const self = { id: 'self', stream: () => ({ [Symbol.asyncIterator]: () => ({ next: hangs }) }) }
      const deafFirst = middleware({
        name: 'deaf-first',
        beforeModel(ctx) {
          if (!calls.length && !turn?.ended) ctx.prompt = { ...ctx.prompt, model: self }
        },
      })
      const clock = virtualClock()
      const tools = [tool({ name: 'self', run: hangs })]
      const chat = createAgent({ model: scripted, tools, use: [deafFirst], clock }).conversation()
      turn = chat.send('Go')
      expect(await turn).toMatchObject({ status: 'interrupted', reason: 'from inside' })
      expect(await chat.send('Go on')).toMatchObject({ status: 'completed', text: 'Next.' })
      expect(checkHistory(chat.messages)).toEqual([])
    },
  )

  const unreadable = Object.defineProperty(new Error('x'), 'message', {
    get() {
      throw new Error('not to be read')
    },
  })
  test.each([
    { what: 'text', reason: 'enough', words: 'enough' },
    { what: 'an error', reason: new Error('off'), words: 'Error: off' },
    { what: 'an error that cannot be read', reason: unreadable, words: 'interrupted' },
    { what: 'an object without words', reason: Object.create(null), words: 'interrupted' },
  ])('$what ends the turn, by interrupt and by a signal, and is told in words', async ({ reason, words }) => {
    const begin = (signal?: AbortSignal) =>
      createAgent({ model: scriptedModel([{ calls: [{ name: 'deaf' }] }]), tools: [deaf] })
        .conversation()
        .send('Go', signal && { signal })
    const controller = new AbortController()
    const [turn, signalled] = [begin(), begin(controller.signal)]
    await settle()
    turn.interrupt(reason)
    controller.abort(reason)
    for (const each of [turn, signalled])
      expect(await each).toMatchObject({ status: 'interrupted', reason: words, by: 'person' })
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
