import { type Call, createAgent, middleware, replace, skip, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const look = tool({ name: 'look', run: args => args })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
const withoutCalls = () => scriptedModel(['Hi', 'Done'])

test('the calls of the reply are those of the step', async () => {
  const found: (readonly Call[])[] = []
  const watch = middleware({ name: 'watch', afterDetect: ctx => void found.push(ctx.draft.calls) })
  await createAgent({ model: looks(), tools: [look], use: [watch] }).send('Go')
  expect(found).toMatchObject([[{ id: 'c1', name: 'look' }], []])
})

test('calls that a hook gives are run, and recorded in the reply', async () => {
  const given = middleware({
    name: 'given',
    beforeDetect: ctx => (ctx.step === 0 ? skip([{ name: 'look', args: { n: 1 } }]) : undefined),
  })
  const { messages } = await createAgent({ model: withoutCalls(), tools: [look], use: [given] }).send('Go')
  const [, reply, result] = messages
  expect(reply?.content).toMatchObject([{ text: 'Hi' }, { type: 'call', name: 'look', args: { n: 1 } }])
  expect(result?.content).toMatchObject([{ type: 'result', status: 'ok', value: { n: 1 } }])
})

test('an empty list takes the calls of the model away, also from the reply', async () => {
  const none = middleware({ name: 'none', afterDetect: () => replace([]) })
  const { messages, steps } = await createAgent({ model: looks(), tools: [look], use: [none] }).send('Go')
  expect(steps).toBe(1)
  expect(messages.at(-1)?.content).toEqual([{ type: 'text', text: 'Looking.' }])
})

test('a step without a reply opens no detection', async () => {
  const opened: string[] = []
  const watch = middleware({
    name: 'watch',
    beforeDetect: () => void opened.push('detect'),
    beforeDecide: () => void opened.push('decide'),
  })
  const model = scriptedModel([{ error: new Error('off') }])
  await createAgent({ model, use: [watch], errors: { model: 'ignore' } }).send('Go').settled
  expect(opened).toEqual(['decide'])
})
