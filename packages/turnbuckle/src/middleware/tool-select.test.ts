import { createAgent, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type ToolSelectOptions, toolSelect } from './tool-select.ts'

const tools = ['search', 'read', 'write', 'send'].map(name =>
  tool({ name, description: `to ${name}`, run: () => name }),
)
const all = ['search', 'read', 'write', 'send']
type Script = Parameters<typeof scriptedModel>[0]

async function offered(answer: Script, options: Omit<ToolSelectOptions, 'model'>, script: Script = ['done']) {
  const model = scriptedModel(script)
  const small = scriptedModel(answer)
  const { status } = await createAgent({ model, tools, use: [toolSelect({ model: small, ...options })] }).send(
    'find it',
  )
  return { status, small, offered: model.prompts.map(prompt => prompt.tools.map(({ name }) => name)) }
}

describe('toolSelect', () => {
  test.each<{ name: string; answer: Script; options: Omit<ToolSelectOptions, 'model'>; tools: string[] }>([
    { name: 'the picked ones are offered', answer: ['read\nsearch'], options: { max: 2 }, tools: ['search', 'read'] },
    {
      name: 'any form of list will do',
      answer: ['I suggest: "write", and read.'],
      options: { max: 2 },
      tools: ['read', 'write'],
    },
    { name: 'no more than max', answer: ['send, read, write'], options: { max: 2 }, tools: ['read', 'send'] },
    { name: 'some are always there', answer: ['read'], options: { max: 1, always: ['send'] }, tools: ['read', 'send'] },
    { name: 'an answer that names none offers all', answer: ['no idea'], options: { max: 2 }, tools: all },
    {
      name: 'a small model that fails offers all',
      answer: [{ error: new Error('down') }],
      options: { max: 2 },
      tools: all,
    },
    { name: 'few tools need no choice', answer: [], options: { max: 4 }, tools: all },
  ])('$name', async ({ answer, options, tools }) => {
    const found = await offered(answer, options)
    expect(found).toMatchObject({ status: 'completed', offered: [tools] })
  })

  test('it is asked once a turn, with the request and the tools', async () => {
    const found = await offered(['read'], { max: 1 }, [{ calls: [{ name: 'read' }] }, 'done'])
    expect(found.offered).toEqual([['read'], ['read']])
    expect(found.small.prompts).toHaveLength(1)
    expect(textOf(found.small.prompts[0]?.messages[0])).toContain('find it\n\nTools:\n- search: to search')
  })
})
