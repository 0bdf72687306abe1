import { createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
const settle = () => new Promise<void>(resolve => setImmediate(resolve))
const hi = () => scriptedModel(['Hi'], { repeat: true })

test('closing an agent without a store interrupts what runs', async () => {
  const hang = tool({ name: 'look', run: () => new Promise(() => {}) })
  const agent = createAgent({ model: looks(), tools: [hang] })
  const turn = agent.conversation('named').send('Go')
  await settle()
  await agent.close()
  expect(await turn).toMatchObject({ status: 'interrupted', reason: 'the agent was closed' })
})

test('switching tells every conversation that is kept by name', () => {
  const agent = createAgent({ model: hi(), use: [middleware({ name: 'x' })] })
  const chat = agent.conversation('named')
  const seen: unknown[] = []
  chat.subscribe(event => seen.push(event))
  agent.disable('x')
  agent.disable('x')
  agent.enable('x')
  expect(seen).toMatchObject([
    { type: 'middleware.changed', name: 'x', enabled: false },
    { type: 'middleware.changed', name: 'x', enabled: true },
  ])
})

test('a conversation that is switched apart is told so, the others are not', () => {
  const agent = createAgent({ model: hi(), use: [middleware({ name: 'x' })] })
  const seen: unknown[] = []
  for (const id of ['one', 'other']) agent.conversation(id).subscribe(event => seen.push(event))
  agent.disable('x', 'one')
  agent.disable('x', 'one')
  expect(seen).toMatchObject([{ type: 'middleware.changed', conversationId: 'one', enabled: false, only: true }])
  expect(seen).toHaveLength(1)
})

test('a switch that would make two tools of one name changes nothing', async () => {
  const model = hi()
  const look = tool({ name: 'look', run: () => 'seen' })
  const agent = createAgent({ model, use: [middleware({ name: 'one', provides: [look] })] })
  agent.disable('one')
  agent.use(middleware({ name: 'two', provides: [look] }))
  expect(() => agent.enable('one')).toThrow('two tools "look"')
  expect(agent.middleware.find(({ name }) => name === 'one')).toMatchObject({ enabled: false })
  await agent.send('Go')
  expect(model.prompts[0]?.tools.map(({ name }) => name)).toEqual(['look'])
})

test('instructions that are a function are asked for anew with each model call', async () => {
  const model = scriptedModel(['One', 'Two'])
  let text = 'Be kind.'
  const chat = createAgent({ model, instructions: () => text }).conversation()
  await chat.send('?')
  text = 'Be brief.'
  await chat.send('?')
  expect(model.prompts.map(({ instructions }) => instructions)).toEqual(['Be kind.', 'Be brief.'])
})
