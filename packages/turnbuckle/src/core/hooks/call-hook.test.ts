import { createAgent, middleware, type ShownChunk, textOf, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test, vi } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
const ran: unknown[] = []
const danger = tool({ name: 'danger', run: args => void ran.push(args) })
const callsDanger = (...args: unknown[]) =>
  scriptedModel([{ calls: args.map(a => ({ name: 'danger', args: a })) }, 'Done'])
const seen = () => ran.splice(0)
const hi = () => scriptedModel(['Hi'], { repeat: true })

test.each<[string, object]>([
  [
    'an after hook',
    {
      afterTool() {
        throw new Error('cannot read it')
      },
    },
  ],
  [
    'a wrap, behind next',
    {
      async wrapTool(_ctx: unknown, next: () => Promise<unknown>) {
        await next()
        throw new Error('cannot read it')
      },
    },
  ],
])('a guard that fails in %s withholds the result; the tool ran, so it was not blocked', async (_where, hooks) => {
  const guard = middleware({ name: 'guard', guard: true, ...hooks })
  const { messages } = await createAgent({ model: looks(), tools: [look], use: [guard] }).send('Go').settled
  expect(messages[2]?.content[0]).toMatchObject({
    status: 'error',
    value: 'The result is withheld. Guard "guard" failed: cannot read it',
  })
  expect(JSON.stringify(messages)).not.toContain('seen')
})

test('a before hook that the end of its turn cuts off has not failed', async () => {
  const clock = virtualClock()
  const asks = middleware({
    name: 'asks',
    timeout: 10,
    afterModel: ctx => ctx.generate(hi(), 'Well?').then(() => undefined),
  })
  const hangs = middleware({ name: 'hangs', beforeGenerate: () => new Promise<undefined>(() => {}) })
  const chat = createAgent({ model: hi(), clock, use: [asks, hangs] }).conversation()
  const failed: string[] = []
  chat.subscribe(event => void (event.type === 'hook.failed' && failed.push(event.name)))
  const turn = chat.send('Go')
  await clock.advance(20)
  expect((await turn.settled).status).toBe('completed')
  // The time limit of the outer hook is told; the hook inside waited until the turn was over.
  expect(failed).toEqual(['asks'])
})

describe('onFailure', () => {
  const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

  const broken = (hook: string, onFailure: 'open' | 'closed') =>
    middleware({
      name: 'broken',
      onFailure,
      [hook]: () => {
        throw new Error('oops')
      },
    } as Parameters<typeof middleware>[0])
  const look = tool({ name: 'look', run: () => 'seen' })

  test.each(['beforeTurn', 'beforeModel', 'wrapModel', 'beforeTool', 'wrapTool', 'beforeAppend', 'wrapAppend'])(
    'open in %s: as if the hook were not there',
    async hook => {
      const turn = createAgent({ model: looks(), tools: [look], use: [broken(hook, 'open')] }).send('Go')
      const { status, messages } = await turn
      expect(status).toBe('completed')
      expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: 'seen' })
    },
  )
  test.each(['afterModel', 'afterTools', 'afterDecide', 'afterTurn'])('closed in %s: the turn fails', async hook => {
    const turn = createAgent({ model: looks(), tools: [look], use: [broken(hook, 'closed')] }).send('Go')
    expect(await turn.settled).toMatchObject({ status: 'failed', by: 'broken' })
  })
})

describe('a redactor that throws shows nothing', () => {
  const leaky = () => {
    throw new Error('no pattern')
  }
  test.each([
    { how: 'at once', onChunk: leaky },
    { how: 'later', onChunk: async () => leaky() },
    { how: 'with nonsense', onChunk: () => 'secret' as unknown as ShownChunk },
  ])('$how', async ({ onChunk }) => {
    const redactor = middleware({ name: 'redactor', guard: true, onChunk })
    const turn = createAgent({ model: scriptedModel([{ text: 'The secret is swordfish.' }]), use: [redactor] }).send(
      'Tell',
    )
    const shown: string[] = []
    for await (const event of turn) shown.push(JSON.stringify(event))
    const { messages, text, status } = await turn.settled
    expect(shown.join('')).not.toContain('swordfish')
    expect(JSON.stringify(messages)).not.toContain('swordfish')
    expect(text).not.toContain('swordfish')
    expect(status).toBe('failed')
  })

  test('of results: the value is withheld when the hook that should have cleaned it breaks', async () => {
    const secret = tool({ name: 'danger', run: () => 'password swordfish' })
    const redactor = middleware({
      name: 'redactor',
      beforeAppend(ctx) {
        if (ctx.message.role === 'tool') throw new Error('no pattern')
      },
    })
    const turn = createAgent({ model: callsDanger({}), tools: [secret], use: [redactor] }).send('Go')
    const { messages, status } = await turn.settled
    expect(status).toBe('failed')
    expect(JSON.stringify(messages)).not.toContain('swordfish')
    expect(messages[2]?.content[0]).toMatchObject({ type: 'result', status: 'error' })
  })
})

test('a hook of a guard that hangs is denied after its time', async () => {
  // The guard's own timeout, on real time: one millisecond.
  const hanging = middleware({ name: 'hanging', guard: true, timeout: 1, beforeTool: () => new Promise(() => {}) })
  const turn = createAgent({ model: callsDanger({}), tools: [danger], use: [hanging] }).send('Go')
  const { messages } = await turn
  expect(seen()).toEqual([])
  expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked' })
  expect(textOf(messages.at(-1))).toBe('Done')
})

test('a hook that takes too long fails after its time, in active milliseconds', async () => {
  const clock = virtualClock()
  const slow = middleware({ name: 'slow', timeout: 100, beforeModel: ctx => ctx.clock.sleep(1000) })
  const turn = createAgent({ model: hi(), use: [slow], clock }).send('Go')
  await clock.advance(99)
  expect(turn.ended).toBe(false)
  await clock.advance(1)
  const { status, error } = await turn.settled
  expect(status).toBe('failed')
  expect((error as Error).cause).toMatchObject({ code: 'hook.timeout' })
  expect(clock.timers).toBe(0)
})

test('a failed hook is noted for the developer once, however often it fails', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
  const fails = () => {
    throw new Error('broken')
  }
  const noted = middleware({ name: 'noted', onFailure: 'open', beforeModel: fails, onEvent: fails })
  const agent = createAgent({ model: hi(), use: [noted] })
  await Promise.all([agent.send('Go').settled, agent.send('Go').settled])
  expect(spy.mock.calls.flat()).toEqual([
    'turnbuckle: onEvent of "noted" failed: broken',
    'turnbuckle: beforeModel of "noted" failed: broken',
  ])
  spy.mockRestore()
})
