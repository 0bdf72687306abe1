import { createAgent, middleware } from 'turnbuckle'
import { timeLimit } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const settle = () => new Promise<void>(resolve => setImmediate(resolve))

/** A turn that waits for a person before its model is called. */
async function ask(options: object = {}) {
  const clock = virtualClock()
  const answers: unknown[] = []
  const told: string[] = []
  const asks = middleware({
    name: 'asks',
    onEvent: ({ type }) => void (type.startsWith('request.') && told.push(type)),
    async beforeModel(ctx) {
      answers.push(await ctx.ask('permission', { why: 'test' }, options).catch(error => error.code))
    },
  })
  const chat = createAgent({
    model: scriptedModel(['Hi']),
    use: [timeLimit({ max: 1000 }), asks],
    clock,
  }).conversation()
  const turn = chat.send('Go')
  await settle()
  return { clock, answers, told, turn, id: chat.requests[0]?.id ?? '' }
}

test('a permission says who gave it, where that is known', async () => {
  const { turn, answers, id, told } = await ask()
  turn.answer(id, { decision: 'allow' }, { by: 'ada' })
  await turn
  expect(answers).toEqual([{ decision: 'allow', by: 'ada' }])
  expect(told).toEqual(['request.opened', 'request.answered'])
})

test('the clock of the turn stands still while somebody is asked', async () => {
  const { turn, id, clock } = await ask({ timeout: 60_000 })
  await clock.advance(30_000)
  turn.answer(id, { decision: 'allow' })
  expect(await turn).toMatchObject({ status: 'completed', text: 'Hi' })
})

test('a request that nobody answers ends by its fallback, where it has one', async () => {
  const { turn, answers, clock, told } = await ask({ timeout: 100, fallback: 'deny' })
  await clock.advance(100)
  await turn
  expect(answers).toEqual([{ decision: 'deny', reason: 'Nobody answered in time.' }])
  expect(told).toEqual(['request.opened', 'request.expired'])
})

test('without a fallback its asker fails', async () => {
  const { turn, answers, clock } = await ask({ timeout: 100 })
  await clock.advance(100)
  await turn
  expect(answers).toEqual(['request.expired'])
})

test('an interrupt ends the request', async () => {
  const { turn, told } = await ask()
  turn.interrupt()
  await turn
  expect(told).toEqual(['request.opened', 'request.expired'])
})
