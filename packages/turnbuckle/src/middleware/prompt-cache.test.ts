import { createAgent, type NewMessage } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { promptCache } from './prompt-cache.ts'

const history: NewMessage[] = [
  { id: 'u1', role: 'user', content: 'a' },
  { id: 'a1', role: 'assistant', content: 'b' },
]

describe('promptCache', () => {
  test.each([
    {
      name: 'instructions, tools and the last two messages',
      options: {},
      marks: { instructions: true, tools: true, messages: ['a1', 'now'] },
    },
    {
      name: 'more messages than there are',
      options: { messages: 9 },
      marks: { instructions: true, tools: true, messages: ['u1', 'a1', 'now'] },
    },
    {
      name: 'instructions alone, for an hour',
      options: { tools: false, messages: 0, ttl: '1h' as const },
      marks: { instructions: true, tools: false, messages: [], ttl: '1h' },
    },
  ])('$name', async ({ options, marks }) => {
    const model = scriptedModel(['done'])
    const chat = createAgent({ model, use: [promptCache(options)] }).conversation({ messages: history })
    await chat.send({ id: 'now', role: 'user', content: 'c' })
    expect(model.prompts[0]?.params).toEqual({ promptCache: marks })
  })
})
