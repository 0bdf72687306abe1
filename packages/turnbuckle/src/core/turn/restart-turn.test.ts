import { createAgent, type Event, middleware, textOf, tool } from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const twice = middleware({
  name: 'twice',
  async wrapTurn(_ctx, next) {
    await next()
    return next()
  },
})
const look = tool({ name: 'look', run: () => 'seen' })
const calls = [{ name: 'look', id: 'c1' }]

test('a turn that a wrap runs again begins at its origin, and the first branch stays', async () => {
  const chat = createAgent({ model: scriptedModel(['Before', 'First', 'Second']) }).conversation()
  await chat.send('Earlier')
  const { text, messages } = await chat.send('Go', { use: [twice] })
  expect(text).toBe('Second')
  expect(messages.map(textOf)).toEqual(['Go', 'Second'])
  expect(chat.messages.map(textOf)).toEqual(['Earlier', 'Before', 'Go', 'Second'])
  expect(chat.tree.map(({ message }) => textOf(message))).toEqual([
    ...['Earlier', 'Before', 'Go', 'First', 'Go', 'Second'],
  ])
})

test('both branches are valid where tools ran', async () => {
  const model = scriptedModel([{ calls }, 'First', { calls }, 'Second'])
  const chat = createAgent({ model, tools: [look], use: [twice] }).conversation()
  const { text } = await chat.send('Go')
  expect(text).toBe('Second')
  expect(checkHistory(chat.messages)).toEqual([])
})

test('usage and steps of both runs count', async () => {
  const usage = { inputTokens: 10, outputTokens: 5, cost: 1 }
  const model = scriptedModel([
    { text: 'First', usage },
    { text: 'Second', usage },
  ])
  const result = await createAgent({ model, use: [twice] }).send('Go')
  expect(result).toMatchObject({ steps: 2, usage: { inputTokens: 20, outputTokens: 10 } })
})

test('there is one terminal event, the last', async () => {
  const events: Event[] = []
  const turn = createAgent({ model: scriptedModel(['First', 'Second']), use: [twice] }).send('Go')
  for await (const event of turn) events.push(event)
  expect(events.filter(({ type }) => type === 'turn.completed')).toMatchObject([{ text: 'Second' }])
  expect(events.at(-1)?.type).toBe('turn.completed')
})
