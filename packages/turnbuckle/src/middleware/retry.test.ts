import { createAgent, middleware, TurnbuckleError } from 'turnbuckle'
import { fallback, type RetryOptions, retry } from 'turnbuckle/middleware'
import { type ScriptedReply, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const error = (message: string, more: object = {}) => Object.assign(new Error(message), more)
const still: RetryOptions = { jitter: 0 }

interface Case {
  title: string
  options?: RetryOptions
  errors: unknown[]
  /** The waits in between. */
  waits: number[]
  ends: string
}

const date = new Date(7000).toUTCString()

describe('retry', () => {
  test.each<Case>([
    { title: 'the first attempt and two more', errors: [error('a'), error('b')], waits: [500, 1000], ends: 'ok' },
    {
      title: 'gives up with the last error',
      errors: ['500', '500', '503'].map(m => error(m)),
      waits: [500, 1000],
      ends: '503',
    },
    { title: 'times', options: { times: 0 }, errors: [error('a')], waits: [], ends: 'a' },
    {
      title: 'base, factor and longest wait',
      options: { times: 4, baseMs: 100, factor: 3, maxMs: 500 },
      errors: [1, 2, 3, 4].map(String).map(m => error(m)),
      waits: [100, 300, 500, 500],
      ends: 'ok',
    },
    {
      title: 'Retry-After in seconds',
      errors: [error('a', { status: 429, headers: { 'Retry-After': '7' } })],
      waits: [7000],
      ends: 'ok',
    },
    {
      title: 'Retry-After as a date',
      errors: [error('a', { statusCode: 503, responseHeaders: { 'retry-after': date } })],
      waits: [7000],
      ends: 'ok',
    },
    {
      title: 'retry-after-ms in Headers',
      errors: [error('a', { response: { headers: new Headers({ 'retry-after-ms': '12' }) } })],
      waits: [12],
      ends: 'ok',
    },
    {
      title: 'a Retry-After beyond patience',
      errors: [error('later', { headers: { 'retry-after': '3600' } })],
      waits: [],
      ends: 'later',
    },
    {
      title: 'a senseless Retry-After is none',
      errors: [error('a', { headers: { 'retry-after': 'soon' } })],
      waits: [500],
      ends: 'ok',
    },
    {
      title: 'more for one kind',
      options: { times: 1, kinds: { rateLimit: 3 } },
      errors: [1, 2, 3].map(() => error('a', { status: 429 })),
      waits: [500, 1000, 2000],
      ends: 'ok',
    },
    {
      title: 'fewer for one kind',
      options: { kinds: { timeout: 0 } },
      errors: [new TurnbuckleError('x.late', 'late', { kind: 'timeout' })],
      waits: [],
      ends: 'late',
    },
    { title: 'a refused request is not repeated', errors: [error('bad', { status: 400 })], waits: [], ends: 'bad' },
    {
      title: 'nor one for which there is no credit',
      errors: [error('used up', { status: 429, code: 'insufficient_quota' })],
      waits: [],
      ends: 'used up',
    },
    {
      title: 'nor one over the limit that its owner has set',
      errors: [error('over the limit', { status: 429, code: 'billing_hard_limit_reached' })],
      waits: [],
      ends: 'over the limit',
    },
    {
      title: 'nor what says that it cannot be',
      errors: [error('never', { isRetryable: false })],
      waits: [],
      ends: 'never',
    },
    {
      title: 'nor a mistake of the program',
      errors: [new TurnbuckleError('x.wrong', 'wrong')],
      waits: [],
      ends: 'wrong',
    },
    {
      title: 'when',
      options: { when: e => (e as Error).message === 'a' },
      errors: [error('a'), error('b')],
      waits: [500],
      ends: 'b',
    },
  ])('$title', async ({ options, errors, waits, ends }) => {
    const clock = virtualClock()
    const model = scriptedModel([...errors.map(error => ({ error })), 'ok'])
    const turn = createAgent({ model, clock, use: [retry({ ...still, ...options })] }).send('go')
    const seen: unknown[] = []
    for (const wait of waits) {
      await clock.advance(wait - 1)
      seen.push(model.prompts.length)
      await clock.advance(1)
      seen.push(model.prompts.length)
    }
    await clock.advance(0)
    const result = await turn.settled
    expect(result.status === 'completed' ? result.text : result.reason).toBe(ends)
    expect(seen).toEqual(waits.flatMap((_, i) => [i + 1, i + 2]))
    expect(clock.timers).toBe(0)
  })

  test('chance takes its share of a wait', async () => {
    const clock = virtualClock()
    const use = [retry({ jitter: 0.4, random: () => 0.5 })]
    const turn = createAgent({ model: scriptedModel([{ error: error('a') }, 'ok']), clock, use }).send('go')
    await clock.advance(400)
    expect((await turn).text).toBe('ok')
  })

  test('text that a failed attempt had shown is withdrawn', async () => {
    const script: ScriptedReply[] = [{ text: 'half', error: error('cut') }, { text: 'whole' }]
    const turn = createAgent({ model: scriptedModel(script), use: [retry({ baseMs: 0 })] }).send('go')
    const types: string[] = []
    for await (const event of turn) types.push(event.type)
    expect(types).toContain('message.discarded')
    expect(types).toContain('retry.waiting')
    const { text, messages } = await turn
    expect([text, messages.length]).toEqual(['whole', 2])
  })

  test('an interrupt ends the wait and leaves no timer', async () => {
    const clock = virtualClock()
    const model = scriptedModel([{ error: error('a') }], { repeat: true })
    const turn = createAgent({ model, clock, use: [retry()] }).send('go')
    await clock.advance(1)
    turn.interrupt()
    expect((await turn).status).toBe('interrupted')
    await clock.advance(0)
    expect([model.prompts.length, clock.timers]).toEqual([1, 0])
  })

  test("another hook's failure passes through", async () => {
    const model = scriptedModel(['ok'])
    const broken = middleware({
      name: 'broken',
      wrapModel() {
        throw new Error('mine')
      },
    })
    const result = await createAgent({ model, use: [retry({ baseMs: 0 }), broken] }).send('go').settled
    expect([result.status, result.by, model.prompts.length]).toEqual(['failed', 'broken', 0])
  })

  test("hooks' own model calls are retried too", async () => {
    const judge = scriptedModel([{ error: error('a') }, 'fine'])
    let said = ''
    const asking = middleware({
      name: 'asking',
      beforeModel: async ctx => {
        said = (await ctx.generate(judge, '?')).text
      },
    })
    await createAgent({ model: scriptedModel(['ok']), use: [retry({ baseMs: 0 }), asking] }).send('go')
    expect(said).toBe('fine')
  })
})

test.each([
  { what: 'retry', use: () => retry({ baseMs: 1000, jitter: 0 }) },
  { what: 'fallback', use: () => fallback([scriptedModel([{ text: 'ok', delayMs: 1000 }])]) },
])(
  'what a failed attempt has shown is withdrawn at the failure, not when the next one begins: $what',
  async ({ use }) => {
    const clock = virtualClock()
    const model = scriptedModel([{ chunks: [{ type: 'text', text: 'Let me' }], error: new Error('down') }, 'ok'])
    const turn = createAgent({ model, clock, use: [use()] }).send('go')
    const told: string[] = []
    const reading = (async () => {
      for await (const { type } of turn) told.push(type)
    })()
    await clock.advance(1)
    expect(told).toContain('message.discarded')
    await clock.advance(1000)
    await reading
    expect((await turn).text).toBe('ok')
  },
)
