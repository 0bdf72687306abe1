import { createAgent, type Message, type Model, middleware, type Usage } from 'turnbuckle'
import { tokenLimit } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { estimateCall, isUncounted } from './estimate-call.ts'

const said = { inputTokens: 1, outputTokens: 1 }

test.each<{ what: string; usage?: Usage; is: boolean }>([
  { what: 'said nothing of its usage', is: true },
  { what: 'said zeros', usage: { inputTokens: 0, outputTokens: 0, cost: 0 }, is: true },
  { what: 'said less than nothing', usage: { inputTokens: -5, outputTokens: 3 }, is: true },
  { what: 'said no number', usage: { inputTokens: 5, outputTokens: Number.NaN }, is: true },
  { what: 'said its usage', usage: said, is: false },
])('whether a call is uncounted, by a model that has $what', async ({ usage, is }) => {
  let uncounted: boolean | undefined
  const look = middleware({
    name: 'look',
    wrapModel: async (ctx, next) => {
      const reply = await next()
      uncounted = isUncounted(ctx)
      return reply
    },
  })
  await createAgent({ model: scriptedModel([{ text: 'Hi', ...(usage ? { usage } : {}) }]), use: [look] }).send('Hi')
  expect(uncounted).toBe(is)
})

test('an estimate is in the result, on the message and in its event, marked, and made once for several limits', async () => {
  const given: (Usage | undefined)[] = []
  const estimates = (name: string) =>
    middleware({
      name,
      async wrapModel(ctx, next): Promise<Message> {
        const reply = await next()
        given.push(estimateCall(ctx, reply))
        return reply
      },
    })
  const turn = createAgent({
    model: scriptedModel([{ text: 'x'.repeat(40), usage: { inputTokens: 0, outputTokens: 0 } }]),
    use: [estimates('one'), estimates('two'), tokenLimit(1000)],
  }).send('Hi')
  const told: unknown[] = []
  for await (const event of turn) if (event.type === 'usage') told.push(event)
  const { usage } = await turn
  expect(usage).toEqual({
    inputTokens: expect.any(Number),
    outputTokens: 14,
    knownCost: 0,
    unknownCalls: 1,
    estimated: true,
  })
  expect(usage.inputTokens).toBeGreaterThan(0)
  expect(given).toEqual([undefined, undefined])
  expect(told).toMatchObject([{ inputTokens: usage.inputTokens, outputTokens: 14, estimated: true }])
})

test('a count that the model has said stays, and only the other one is estimated', async () => {
  const model = scriptedModel([
    { text: 'x'.repeat(40), usage: { inputTokens: 700, outputTokens: Number.NaN, cost: 0.5 } },
  ])
  const { usage } = await createAgent({ model, use: [tokenLimit(1000)] }).send('Hi')
  expect(usage).toEqual({ inputTokens: 700, outputTokens: 14, cost: 0.5, estimated: true })
})

test('a ready reply has used nothing, and is not estimated', async () => {
  const ready = middleware({ name: 'ready', wrapModel: async () => 'From a cache.' as never })
  const { usage } = await createAgent({ model: scriptedModel([]), use: [tokenLimit(1000), ready] }).send('Hi')
  expect(usage).toEqual({ inputTokens: 0, outputTokens: 0, cost: 0 })
})

test.each<{ name: string; usage?: Usage }>([
  { name: 'nothing' },
  { name: 'zeros', usage: { inputTokens: 0, outputTokens: 0 } },
  { name: 'less than nothing', usage: { inputTokens: -5, outputTokens: -3, cost: -1 } },
  { name: 'no number', usage: { inputTokens: Number.NaN, outputTokens: Number.NaN, cost: Number.NaN } },
])('a limit trips at a model that reports $name', async ({ usage }) => {
  const model: Model = scriptedModel(
    [{ text: 'x'.repeat(400), calls: [{ name: 'none' }], ...(usage ? { usage } : {}) }],
    {
      repeat: true,
    },
  )
  const turn = createAgent({ model, use: [tokenLimit(300)], maxSteps: 9, breaker: false }).send('Hi')
  expect(await turn).toMatchObject({ status: 'stopped', by: 'token-limit', usage: { estimated: true } })
})
