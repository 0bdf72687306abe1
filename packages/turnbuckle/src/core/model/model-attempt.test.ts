import { createAgent, type Model, middleware, replace } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test('a reply that replaces a shown one is recorded, and the shown one withdrawn', async () => {
  const use = [middleware({ name: 'edit', afterModel: () => replace('better') })]
  const turn = createAgent({ model: scriptedModel(['draft']), use }).send('go')
  const types: string[] = []
  for await (const { type } of turn) types.push(type)
  expect((await turn).text).toBe('better')
  expect(types.filter(type => type === 'message.discarded')).toHaveLength(1)
})

test('of two attempts at once only the later is shown, and the reply that is used is recorded once', async () => {
  const both = middleware({
    name: 'both',
    async wrapModel(_ctx, next) {
      const [first] = await Promise.all([next(), next()])
      return first
    },
  })
  const turn = createAgent({ model: scriptedModel(['One.', 'Two.']), use: [both] }).send('Go.')
  const told: string[] = []
  for await (const event of turn) if (event.type !== 'message.delta') told.push(event.type)
  expect(told).toEqual([
    'turn.started',
    'message.added',
    'message.started',
    'message.discarded',
    'message.added',
    'turn.completed',
  ])
  expect((await turn).text).toBe('One.')
})

test('a retry after shown text withdraws it', async () => {
  const retry = middleware({ name: 'retry', wrapModel: (_ctx, next) => next().catch(() => next()) })
  const model = scriptedModel([{ text: 'The answer is', error: new Error('cut') }, { text: 'It is 4.' }])
  const turn = createAgent({ model, use: [retry] }).send('2+2?')
  const wire: [string, unknown][] = []
  for await (const event of turn)
    if ('messageId' in event && event.type.startsWith('message.')) wire.push([event.type, event.messageId])
  const { text, messages } = await turn
  const [first, second] = [`${turn.id}.s0a0`, `${turn.id}.s0a1`]
  expect(wire.slice(1)).toEqual([
    ['message.started', first],
    ['message.delta', first],
    ['message.discarded', first],
    ['message.started', second],
    ['message.delta', second],
    ['message.added', second],
  ])
  expect(text).toBe('It is 4.')
  expect(messages.map(({ id }) => id)).toEqual([`${turn.id}.u`, second])
})

test.each([
  { ms: 12_000, part: { type: 'reasoning', text: 'Hm, hm.', durationMs: 12_000 } },
  { ms: 999, part: { type: 'reasoning', text: 'Hm, hm.' } },
])('a thought of $ms ms is recorded as $part', async ({ ms, part }) => {
  const clock = virtualClock()
  const model: Model = {
    id: 'thinks',
    async *stream() {
      yield { type: 'reasoning', text: 'Hm, ' }
      yield { type: 'reasoning', text: 'hm.' }
      await clock.advance(ms)
      yield { type: 'text', text: 'Five.' }
    },
  }
  const chat = createAgent({ model, clock }).conversation()
  await chat.send('2 + 3?')
  expect(chat.tree.at(-1)?.message.content).toEqual([part, { type: 'text', text: 'Five.' }])
})
