import type { Message } from 'turnbuckle'
import { expect, test } from 'vitest'
import { type BranchNode, drawTree } from './draw-tree.ts'

const node = (id: string, parentId?: string): BranchNode => ({
  id,
  parentId,
  message: { id, role: 'user', content: [{ type: 'text', text: id }] } as Message,
})
const draw = (nodes: readonly BranchNode[], head?: string) => drawTree(nodes, head).map(({ text }) => text)

test('a line of messages is not indented', () => {
  expect(draw([node('a'), node('b', 'a'), node('c', 'b')])).toEqual(['You: a', 'You: b', 'You: c'])
})

test('a fork indents its branches, the last with a corner', () => {
  const nodes = [node('a'), node('b', 'a'), node('c', 'a'), node('d', 'b')]
  expect(draw(nodes)).toEqual(['You: a', '├─ You: b', '│  You: d', '└─ You: c'])
})

test('the path to the head is marked', () => {
  const lines = drawTree([node('a'), node('b', 'a'), node('c', 'a')], 'c')
  expect(lines.map(({ id, onPath, isHead }) => ({ id, onPath, isHead }))).toEqual([
    { id: 'a', onPath: true, isHead: false },
    { id: 'b', onPath: false, isHead: false },
    { id: 'c', onPath: true, isHead: true },
  ])
})

test('a message whose parent is missing is a root', () => {
  expect(draw([node('a'), node('b', 'gone')])).toEqual(['├─ You: a', '└─ You: b'])
})
