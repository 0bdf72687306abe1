import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { skills } from './skills.ts'

const publish = tool({ name: 'publish', run: () => 'published' })
const release = { name: 'release', description: 'How to publish', instructions: 'Tag first.', tools: [publish] }
const review = { name: 'review', description: 'How to review', instructions: 'Read twice.' }
const names = (prompt: { tools: readonly { name: string }[] } | undefined) => prompt?.tools.map(({ name }) => name)

function setup(script: Parameters<typeof scriptedModel>[0]) {
  const model = scriptedModel(script)
  return { model, chat: createAgent({ model, use: [skills([release, review])] }).conversation() }
}

describe('skills', () => {
  test('a call activates one: its instructions and tools are there from the next step on', async () => {
    const { model, chat } = setup([
      { calls: [{ name: 'skill', args: { name: 'release' } }] },
      { calls: [{ name: 'publish' }] },
      'done',
    ])
    const { messages } = await chat.send('go')
    expect(model.prompts.map(names)).toEqual([['skill'], ['skill', 'publish'], ['skill', 'publish']])
    expect(model.prompts.map(({ instructions }) => instructions.includes('Tag first.'))).toEqual([false, true, true])
    expect(model.prompts[0]?.instructions).toContain('- release: How to publish\n- review: How to review')
    expect(messages.at(-2)?.content[0]).toMatchObject({ name: 'publish', status: 'ok', value: 'published' })
  })

  test.each([
    {
      name: 'a tool of a skill that is not active cannot be called',
      call: { name: 'publish', args: {} },
      value: 'no tool "publish"',
    },
    {
      name: 'a skill that is not there',
      call: { name: 'skill', args: { name: 'cook' } },
      value: 'expected "release" or "review"',
    },
    { name: 'a call without a name', call: { name: 'skill', args: {} }, value: 'name is missing' },
  ])('$name', async ({ call, value }) => {
    const { model, chat } = setup([{ calls: [call] }, 'done'])
    const { messages } = await chat.send('go')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'error', value: expect.stringContaining(value) })
    expect(names(model.prompts[1])).toEqual(['skill'])
  })

  test('it stays active on its branch, and only there', async () => {
    const { model, chat } = setup([{ calls: [{ name: 'skill', args: { name: 'review' } }] }, 'one', 'two', 'three'])
    const before = chat.fork()
    await chat.send('go')
    await chat.send('again')
    await before.send('elsewhere')
    expect(model.prompts.map(({ instructions }) => instructions.includes('Read twice.'))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('a tool of two skills is there when one of them is active', async () => {
    const model = scriptedModel([{ calls: [{ name: 'skill', args: { name: 'review' } }] }, 'done'])
    const both = skills([release, { ...review, tools: [publish] }])
    await createAgent({ model, use: [both] }).send('go')
    expect(model.prompts.map(names)).toEqual([['skill'], ['skill', 'publish']])
  })
})
