import type { Usage, WireNode } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { usageOnPath } from './usage-on-path.ts'

const node = (role: 'user' | 'assistant', usage?: Usage): WireNode => ({
  id: 'm',
  parentId: null,
  turnId: 't',
  message: { id: 'm', role, content: [] },
  createdAt: 0,
  ...(usage ? { usage } : {}),
})
const tokens = { inputTokens: 10, outputTokens: 5 }
const priced = node('assistant', { ...tokens, cost: 0.25 })

test.each([
  { name: 'every reply has a cost', path: [node('user'), priced, node('user'), priced], cost: 0.5 },
  { name: 'one says no cost', path: [priced, node('assistant', tokens)], cost: undefined },
  { name: 'one says nothing', path: [priced, node('assistant')], cost: undefined },
])('the sum of a path where $name: $cost', ({ path, cost }) => expect(usageOnPath(path).cost).toBe(cost))

test('what is known of a cost stays, with the number of calls that it lacks', () => {
  const partly = node('assistant', { ...tokens, knownCost: 0.5, unknownCalls: 2 })
  expect(usageOnPath([priced, node('assistant'), partly])).toEqual({
    inputTokens: 20,
    outputTokens: 10,
    knownCost: 0.75,
    unknownCalls: 3,
  })
})
