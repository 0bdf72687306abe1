import { createAgent, type Event, middleware } from 'turnbuckle'
import { pii, tokenLimit } from 'turnbuckle/middleware'
import { type ScriptedReply, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

async function run(reply: ScriptedReply) {
  const turn = createAgent({ model: scriptedModel([reply]) }).send('go')
  const events: Event[] = []
  for await (const event of turn) events.push(event)
  return { result: await turn, end: events.at(-1) }
}

test.each(['length', 'content-filter', 'refusal', 'SAFETY', 'max_tokens'])(
  'an empty reply that ended by %s is no answer',
  async finish => {
    for (const reply of [{}, { reasoning: 'Hm.' }, { text: ' \n' }]) {
      const { result, end } = await run({ ...reply, finish })
      const is = { reason: `the model said nothing: ${finish}`, by: 'model', finishReason: finish }
      expect(result).toMatchObject({ status: 'stopped', ...is })
      expect(end).toMatchObject({ type: 'turn.stopped', ...is })
    }
  },
)

test.each([
  { what: 'an empty reply that ended by itself', reply: { finish: 'stop' }, finishReason: 'stop' },
  { what: 'a reply that was cut', reply: { text: 'Well', finish: 'length' }, finishReason: 'length' },
])('$what is an answer, and the result says why it ended', async ({ reply, finishReason }) => {
  const { result, end } = await run(reply)
  expect(result).toMatchObject({ status: 'completed', reason: 'done', finishReason })
  expect(end).toMatchObject({ type: 'turn.completed', finishReason })
})

test('a ready reply has no finish reason', async () => {
  const ready = middleware({ name: 'ready', wrapModel: async () => 'From a cache.' })
  expect(await createAgent({ model: scriptedModel([]), use: [ready] }).send('go')).not.toHaveProperty('finishReason')
})

test('the words of a refusal are shown as the reply, through every hook that looks at text', async () => {
  const text = 'Not for a@example.com.'
  const model = () => scriptedModel([{ chunks: [{ type: 'finish', reason: 'refusal', text }] }])
  const plain = await createAgent({ model: model() }).send('go')
  expect(plain).toMatchObject({ status: 'completed', text, finishReason: 'refusal' })
  expect(await createAgent({ model: model(), use: pii() }).send('go')).toMatchObject({ text: 'Not for [email].' })
})

test('cached and reasoning tokens are summed in the result and told in events', async () => {
  const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 3, cost: 1 }
  const model = scriptedModel([
    { calls: [{ name: 'none' }], usage },
    { text: 'ok', usage: { ...usage, cachedInputTokens: 6 } },
  ])
  const turn = createAgent({ model, use: [tokenLimit(1000)] }).send('go')
  const told: Event[] = []
  for await (const event of turn) if (event.type === 'usage') told.push(event)
  expect((await turn).usage).toEqual({
    inputTokens: 20,
    outputTokens: 10,
    cachedInputTokens: 10,
    reasoningTokens: 6,
    cost: 2,
  })
  expect(told).toMatchObject([{ cachedInputTokens: 4 }, { cachedInputTokens: 6, reasoningTokens: 3 }])
})
