import { createAgent, type Directive, type Event, fail, type Middleware, middleware, stop } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const ending = (directive: () => Directive<'stop' | 'fail'>): Middleware =>
  middleware({ name: 'ends', afterModel: directive })

async function toldBy(use: readonly Middleware[]) {
  const events: Event[] = []
  const usage = { inputTokens: 1, outputTokens: 2, cost: 3 }
  const turn = createAgent({ model: scriptedModel([{ text: 'Hi', usage }]), use }).send('Go')
  for await (const event of turn) events.push(event)
  return { events, last: events.at(-1), result: await turn.settled }
}

test.each<[string, readonly Middleware[], object]>([
  ['completed', [], { reason: 'done', by: 'model' }],
  ['stopped', [ending(() => stop('enough'))], { reason: 'enough', by: 'ends' }],
  ['failed', [ending(() => fail(new Error('off')))], { reason: 'off', by: 'ends', error: 'off' }],
])('a turn that is %s says so last, with what it has said and used', async (status, use, how) => {
  const { events, last, result } = await toldBy(use)
  const usage = { inputTokens: 1, outputTokens: 2, cost: 3 }
  expect(last).toMatchObject({ type: `turn.${status}`, outcome: status, text: 'Hi', usage, ...how })
  expect(events.filter(({ type }) => /^turn\.(completed|stopped|failed|interrupted)$/.test(type))).toHaveLength(1)
  expect(result).toMatchObject({ status, text: 'Hi', usage })
})

test('what a hook tells about the end belongs to the turn no more', async () => {
  const late = middleware({
    name: 'late',
    onEvent: (event, ctx) => void (event.type === 'turn.completed' && ctx.emit({ type: 'audit.done' })),
  })
  const { events } = await toldBy([late])
  expect(events.map(({ type }) => type)).not.toContain('audit.done')
})

test('with a log, who awaits the turn gets its result once the log has its end', async () => {
  const store = memoryStore()
  const chat = createAgent({ model: scriptedModel(['Hi']), store }).conversation('c')
  await chat.send('Go')
  const reopened = createAgent({ model: scriptedModel([]), store })
  expect(reopened.resume('c')).toBeUndefined()
  expect(reopened.conversation('c').messages).toHaveLength(2)
})
