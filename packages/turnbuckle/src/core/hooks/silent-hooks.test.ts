import { type Context, createAgent, type Message, middleware } from 'turnbuckle'
import { retry } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.restoreAllMocks())

/** The notes that two turns with such hooks give, after so many milliseconds. */
async function notesAfter(
  ms: number,
  hooks: object,
  clock = virtualClock(),
  model = scriptedModel(['Hi'], { repeat: true }),
) {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
  const agent = createAgent({
    model,
    use: [middleware({ name: 'noted', ...hooks })],
    clock,
  })
  const turns = [agent.send('Go'), agent.send('Go')]
  await clock.advance(ms)
  const lines = spy.mock.calls.flat()
  for (const turn of turns) turn.interrupt()
  await Promise.all(turns.map(turn => turn.settled))
  return lines
}
const sleeps = (ms: number) => (ctx: Context) => ctx.clock.sleep(ms)
const silent = (at: string) => `turnbuckle: ${at} of "noted" has not answered for 5000 ms.`

test('a hook that has not answered for five seconds is told, once', async () => {
  expect(await notesAfter(6000, { beforeModel: sleeps(6000) })).toEqual([silent('beforeModel')])
})

test('a hook that began after others is told too, and not before its five seconds', async () => {
  const hooks = { beforeModel: sleeps(3000), afterModel: sleeps(60_000) }
  expect(await notesAfter(7999, hooks)).toEqual([])
  expect(await notesAfter(10_000, hooks)).toEqual([silent('afterModel')])
})

test('hooks that answer in time are told never, however many', async () => {
  const hooks = { beforeTurn: sleeps(4000), beforeModel: sleeps(4000), afterModel: sleeps(4000) }
  expect(await notesAfter(12_000, hooks)).toEqual([])
})

test('a hook that waits for its own model call is not told', async () => {
  const clock = virtualClock()
  const judge = scriptedModel([{ text: 'ok', delayMs: 6000 }], { repeat: true, clock })
  const slow = { beforeModel: (ctx: Context) => ctx.generate(judge, 'Well?').then(() => undefined) }
  expect(await notesAfter(6000, slow, clock)).toEqual([])
})

type Next = () => Promise<Message>

test.each([
  { when: 'before its next()', wrapModel: (ctx: Context, next: Next) => ctx.clock.sleep(6000).then(next) },
  {
    when: 'after its next()',
    wrapModel: async (ctx: Context, next: Next) => {
      const reply = await next()
      await ctx.clock.sleep(60_000)
      return reply
    },
  },
])('a wrap that works for long $when is told, once', async ({ wrapModel }) => {
  expect(await notesAfter(10_000, { wrapModel })).toEqual([silent('wrapModel')])
})

test('a wrap that waits in its next() is not told', async () => {
  const hooks = {
    wrapModel: async (_: Context, next: Next) => await next(),
    wrapTurn: async (_: Context, next: Next) => await next(),
  }
  const clock = virtualClock()
  const model = scriptedModel([{ text: 'Hi', delayMs: 20_000 }], { repeat: true, clock })
  expect(await notesAfter(15_000, hooks, clock, model)).toEqual([])
})

test('a retry that waits for its next attempt is not told: it has said so', async () => {
  const clock = virtualClock()
  const model = scriptedModel([{ error: new Error('down') }], { repeat: true })
  expect(await notesAfter(15_000, retry({ baseMs: 20_000, jitter: 0 }).hooks, clock, model)).toEqual([])
})
