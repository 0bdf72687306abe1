import type { Node } from 'turnbuckle'
import { expect, test } from 'vitest'
import { wireNode } from './wire-node.ts'

const message = { id: 'm', role: 'user', content: [] } as const
const common = { id: 'm', message, createdAt: 3 }

test.each([
  { what: 'a first message', node: common, is: { ...common, parentId: null, turnId: null } },
  {
    what: 'a message with a price',
    node: { ...common, parentId: 'p', turnId: 't', usage: { inputTokens: 1, outputTokens: 2 }, cost: 0, state: {} },
    is: { ...common, parentId: 'p', turnId: 't', usage: { inputTokens: 1, outputTokens: 2 }, cost: 0 },
  },
])('$what has no more fields than the wire', ({ node, is }) => {
  expect(wireNode(node as unknown as Node)).toEqual(is)
})
