import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { toolGroups } from './tool-groups.ts'

const make = (name: string) => tool({ name, run: () => name })
const groups = [
  { name: 'calendar', description: 'Dates.', tools: [make('list'), make('add')] },
  { name: 'mail', description: 'Letters.', tools: ['send'] },
]

async function run(script: Parameters<typeof scriptedModel>[0]) {
  const model = scriptedModel(script)
  const agent = createAgent({ model, tools: [make('send'), make('search')], use: [toolGroups(groups)] })
  const { messages } = await agent.send('go')
  return { offered: model.prompts.map(prompt => prompt.tools.map(({ name }) => name)), messages }
}
const closed = ['search', 'calendar', 'mail']

describe('toolGroups', () => {
  test.each([
    { name: 'closed, only the containers are there', calls: [], offered: [closed] },
    { name: 'a call opens one', calls: ['calendar'], offered: [closed, ['search', 'mail', 'list', 'add']] },
    { name: "one of the agent's own tools", calls: ['mail'], offered: [closed, ['send', 'search', 'calendar']] },
    {
      name: 'two, one after the other',
      calls: ['calendar', 'mail'],
      offered: [closed, ['search', 'mail', 'list', 'add'], ['send', 'search', 'list', 'add']],
    },
    { name: 'a tool in a closed group cannot be called', calls: ['add'], offered: [closed, closed] },
  ])('$name', async ({ calls, offered }) => {
    expect((await run([...calls.map(name => ({ calls: [{ name }] })), 'done'])).offered).toEqual(offered)
  })

  test('a tool of an open group runs', async () => {
    const { messages } = await run([{ calls: [{ name: 'calendar' }] }, { calls: [{ name: 'add' }] }, 'done'])
    expect(messages[4]?.content[0]).toMatchObject({ name: 'add', status: 'ok', value: 'add' })
  })

  test('a tool in two groups is there when one of them is open', async () => {
    const find = make('find')
    const shared = [
      { name: 'calendar', description: 'Dates.', tools: [find, make('add')] },
      { name: 'mail', description: 'Letters.', tools: [find, 'send'] },
    ]
    const model = scriptedModel([{ calls: [{ name: 'mail' }] }, { calls: [{ name: 'find' }] }, 'done'])
    const agent = createAgent({ model, tools: [make('send')], use: [toolGroups(shared)] })
    const { messages } = await agent.send('go')
    expect(model.prompts[1]?.tools.map(({ name }) => name)).toEqual(['send', 'calendar', 'find'])
    expect(messages[4]?.content[0]).toMatchObject({ name: 'find', status: 'ok' })
  })
})
