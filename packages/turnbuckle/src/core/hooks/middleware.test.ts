import { createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

/** Sentences of the design, each of which was once not true. */

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]

test.each([
  { wrong: 'befoerTool', right: 'beforeTool' },
  { wrong: 'onChunks', right: 'onChunk' },
  { wrong: 'prioritiy', right: 'priority' },
])('a misspelt member is refused with the nearest: $wrong', ({ wrong, right }) => {
  const make = () => middleware({ name: 'odd', [wrong]: () => undefined } as Definition)
  expect(make).toThrow(`Did you mean "${right}"?`)
})

test('a middleware that cannot be switched on stays off, and the others work on', async () => {
  const brings = (name: string) => middleware({ name, provides: [tool({ name: 'same', run: () => name })] })
  const model = scriptedModel([{ calls: [{ name: 'same' }] }, 'The end.'])
  const agent = createAgent({ model, use: [brings('first')] })
  agent.disable('first')
  agent.use(brings('second'))
  expect(() => agent.enable('first')).toThrow(expect.objectContaining({ code: 'tool.duplicate' }))
  expect(agent.middleware.find(({ name }) => name === 'first')?.enabled).toBe(false)
  const { messages } = await agent.send('Go.')
  expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: 'second' })
})

test.each<[string, object, RegExp]>([
  ['a priority that is no number', { priority: Number.NaN }, /"priority" of "odd" has to be a number, not NaN/],
  ['an unknown scope', { scope: 'session' }, /"scope" of "odd" is one of turn, branch, conversation, not session/],
  ['an unknown onFailure', { onFailure: 'ignore' }, /"onFailure" of "odd" is open or closed, not ignore/],
  ['a timeout that never comes', { timeout: Number.NaN }, /"timeout" of "odd"/],
  ['tools that are no list', { tools: 'shell' }, /"tools" of "odd" is a list/],
  ['a Map as state', { state: { seen: new Map() } }, /"odd": state\.seen is a Map/],
])('%s is refused', (_what, given, message) => {
  expect(() => middleware({ name: 'odd', ...given } as Definition)).toThrow(message)
})

test('a state that is no plain data is refused at the update, with the key', async () => {
  const odd = middleware({
    name: 'odd',
    state: { at: 0 as unknown },
    beforeStep: ctx => ctx.update(() => ({ at: new Date(0) })),
  })
  const { status, reason } = await createAgent({ model: scriptedModel(['Hi']), use: [odd] }).send('Go').settled
  expect({ status, reason }).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('"odd": state.at is a Date'),
  })
})

test('the default state is the middleware’s own: what the developer does to the object later changes no conversation', async () => {
  const start = { list: [1] }
  const seen: unknown[] = []
  const counts = middleware({ name: 'counts', state: start, beforeStep: ctx => void seen.push(ctx.state.list.length) })
  start.list.push(2)
  const agent = createAgent({ model: scriptedModel(['Hi'], { repeat: true }), use: [counts] })
  await agent.send('Go')
  await agent.send('Go')
  expect(seen).toEqual([1, 1])
})

test('lists of lists are taken wherever middleware is', async () => {
  const seen: string[] = []
  const named = (name: string) => middleware({ name, beforeTurn: () => void seen.push(name) })
  const agent = createAgent({
    model: scriptedModel(['Hi'], { repeat: true }),
    use: [named('a'), [[named('b')], named('c')]],
  })
  const remove = agent.use([named('d'), [named('e')]])
  await agent.conversation().send('Go', { use: [[named('f'), [named('g')]]] })
  expect(seen.splice(0).join('')).toBe('abcdefg')
  remove()
  await agent.send('Go')
  expect(seen.join('')).toBe('abc')
})
