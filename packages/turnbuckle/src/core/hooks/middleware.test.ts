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
