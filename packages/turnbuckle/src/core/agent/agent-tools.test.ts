import { createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const hi = () => scriptedModel(['Hi'], { repeat: true })

test('a middleware brings its tools, and takes them with it', async () => {
  const agent = createAgent({ model: hi(), use: [middleware({ name: 'brings', provides: [look] })] })
  expect(agent.tools.map(({ name }) => name)).toEqual(['look'])
  agent.disable('brings')
  expect(agent.tools).toEqual([])
  agent.enable('brings')
  const clash = middleware({ name: 'clash', provides: [look] })
  expect(() => agent.use(clash)).toThrow('two tools "look"')
  // What could not be registered is not half there.
  expect(agent.middleware.map(({ name }) => name)).not.toContain('clash')
  expect(agent.tools.map(({ name }) => name)).toEqual(['look'])
})

test('the model is told of the tools that there are now', async () => {
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done', 'Again', 'Hi'])
  const agent = createAgent({
    model,
    tools: [look],
    use: [middleware({ name: 'brings', provides: [tool({ name: 'late', run: () => 1 })] })],
  })
  await agent.send('Go')
  agent.enable('brings')
  await agent.send('Go')
  agent.disable('brings')
  await agent.send('Go')
  const lists = model.prompts.map(({ tools }) => tools)
  expect(lists.map(tools => tools.map(({ name }) => name))).toEqual([
    ['look', 'late'],
    ['look', 'late'],
    ['look', 'late'],
    ['look'],
  ])
})

test('a tool is the same one after the middleware has changed', () => {
  const agent = createAgent({
    model: hi(),
    tools: [tool({ name: 'by-schema', schema: { type: 'object' }, run: () => 1 })],
  })
  const [before] = agent.tools
  agent.use(middleware({ name: 'other' }))
  expect(agent.tools).toEqual([before])
  expect(agent.tools[0]).toBe(before)
})

test('arguments of a tool with JSON Schema only are checked as the agent says', async () => {
  const model = scriptedModel([{ calls: [{ name: 'by-schema', args: { n: 1 } }] }, 'Done'])
  const tools = [tool({ name: 'by-schema', schema: { type: 'object' }, run: () => 'ran' })]
  const agent = createAgent({ model, tools, schemaCheck: () => 'n is too small' })
  const turn = agent.send('Go')
  await turn
  expect(turn.calls).toMatchObject([{ result: { status: 'error', value: expect.stringContaining('n is too small') } }])
})

test('the middleware of one turn brings tools for that turn; a tool of the agent under the same name stays', async () => {
  const calls = [
    { name: 'look', args: {} },
    { name: 'here', args: { n: 1 } },
  ]
  const model = scriptedModel([{ calls }, 'Done', { calls }, 'Done'])
  const agent = createAgent({ model, tools: [look] })
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const here = tool<{ n: number }>({ name: 'here', schema, run: ({ n }) => n + 1 })
  const other = tool({ name: 'look', run: () => 'not this one' })
  const brings = middleware({ name: 'brings', provides: [here, other] })
  const statuses = async (use: (typeof brings)[]) => {
    const { messages } = await agent.send('Go', { use })
    const parts = messages.flatMap(({ content }) => content)
    return parts.flatMap(part => (part.type === 'result' ? [[part.status, part.value]] : []))
  }
  expect(await statuses([brings])).toEqual([
    ['ok', 'seen'],
    ['ok', 2],
  ])
  expect(await statuses([])).toMatchObject([
    ['ok', 'seen'],
    ['error', expect.stringContaining('no tool "here"')],
  ])
  expect(model.prompts.map(({ tools }) => tools.length)).toEqual([2, 2, 1, 1])
})
