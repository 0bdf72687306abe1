import { createAgent, type Middleware, middleware, tool } from 'turnbuckle'
import { memoryStore, replay } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { agentsFile } from './agents-file.ts'

const files: Record<string, string> = { 'AGENTS.md': 'Use tabs.\n', 'web/AGENTS.md': 'Use React.', empty: ' ' }
const read = (path: string) => files[path]

describe('agentsFile', () => {
  test.each([
    { name: 'the file is added', options: { read }, sent: '# AGENTS.md\n\nUse tabs.' },
    {
      name: 'several are added in order',
      options: { read, paths: ['AGENTS.md', 'web/AGENTS.md'] },
      sent: '# AGENTS.md\n\nUse tabs.\n\n# web/AGENTS.md\n\nUse React.',
    },
    { name: 'a missing file adds nothing', options: { read, paths: ['none'] }, sent: '' },
    { name: 'an empty file adds nothing', options: { read, paths: ['empty'] }, sent: '' },
    { name: 'a long one is cut', options: { read, maxLength: 3 }, sent: '# AGENTS.md\n\nUse\n[cut: 9 characters]' },
    { name: 'a reader that fails adds nothing', options: { read: () => Promise.reject(new Error('disk')) }, sent: '' },
  ])('$name', async ({ options, sent }) => {
    const model = scriptedModel(['done'])
    const { status } = await createAgent({ model, use: [agentsFile(options)] }).send('hi')
    expect(status).toBe('completed')
    expect(model.prompts[0]?.instructions).toBe(sent)
  })

  test('it is read once a turn', async () => {
    let reads = 0
    const counting = () => `version ${++reads}`
    const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'done', 'done'])
    const look = tool({ name: 'look', run: () => 'x' })
    const chat = createAgent({ model, tools: [look], use: [agentsFile({ read: counting })] }).conversation()
    await chat.send('hi')
    await chat.send('hi')
    expect(model.prompts.map(prompt => prompt.instructions.slice(-1))).toEqual(['1', '1', '2'])
  })
})

describe('in a replay', () => {
  const told = (word: string) => middleware({ name: 'told', beforeModel: ctx => ctx.instruct(word, { for: 'turn' }) })
  const file = (text: string) => agentsFile({ read: () => text })
  async function record(use: readonly Middleware[]) {
    const store = memoryStore()
    const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'done'])
    const look = tool({ name: 'look', run: () => 'x' })
    const agent = createAgent({ model, tools: [look], use, store, instructions: 'Be an agent.' })
    const turn = agent.conversation('c').send('hi')
    await turn
    return { model, again: (now: readonly Middleware[]) => replay(store, turn.id, { use: now }) }
  }

  test.each([
    { name: 'as it was', now: [file('Use tabs.'), told('A')], outcome: 'same' },
    { name: 'changed since', now: [file('Use spaces.'), told('A')], outcome: 'same' },
    { name: 'not read', now: [told('A')], outcome: 'same' },
    { name: 'and another hook says something else', now: [file('Use tabs.'), told('B')], outcome: 'diverged' },
    { name: 'and another hook is missing', now: [file('Use tabs.')], outcome: 'diverged' },
  ])("it counts as the agent's own instructions: $name", async ({ now, outcome }) => {
    const { again } = await record([told('A'), file('Use tabs.')])
    expect(await again(now)).toMatchObject({ outcome })
  })

  test('it stands before what other hooks add, in every step', async () => {
    const { model } = await record([told('A'), file('Use tabs.')])
    const begins = 'Be an agent.\n\n# AGENTS.md\n\nUse tabs.\n\nA'
    expect(model.prompts.map(({ instructions }) => instructions.slice(0, begins.length))).toEqual([begins, begins])
  })
})
