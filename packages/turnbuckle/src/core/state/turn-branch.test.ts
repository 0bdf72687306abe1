import { expect, test } from 'vitest'
import type { Message } from '../base/message.ts'
import { Tree, type TreeNode } from '../history/tree.ts'
import { TurnBranch } from './turn-branch.ts'

const said = (id: string): Message => ({ id, role: 'user', content: [{ type: 'text', text: id }] })
function chain(...ids: string[]): TreeNode[] {
  const tree = new Tree()
  const nodes: TreeNode[] = []
  for (const id of ids) nodes.push(tree.add(nodes.at(-1), said(id), undefined, 0, { at: id }))
  return nodes
}

test('a turn begins at its origin, with the states there', () => {
  const [origin] = chain('a')
  const branch = new TurnBranch(origin)
  expect([branch.origin, branch.tip, branch.state]).toEqual([origin, origin, { at: 'a' }])
  expect(new TurnBranch(undefined).state).toEqual({})
})

test('a recorded message moves the tip and keeps the states; a move takes those of its message', () => {
  const [a, b] = chain('a', 'b')
  const branch = new TurnBranch(a)
  branch.advanceTo(b)
  expect([branch.tip, branch.state]).toEqual([b, { at: 'a' }])
  branch.moveTo(b)
  expect(branch.state).toEqual({ at: 'b' })
  branch.moveTo(a, { at: 'given' })
  expect([branch.tip, branch.state]).toEqual([a, { at: 'given' }])
  expect(branch.origin).toBe(a)
})

test('a turn that starts at another message has its origin there', () => {
  const [a, b] = chain('a', 'b')
  const branch = new TurnBranch(a)
  branch.startAt(b)
  expect([branch.origin, branch.tip, branch.state]).toEqual([b, b, { at: 'b' }])
})

test('each step has a mark of where it began', () => {
  const [a, b] = chain('a', 'b')
  const branch = new TurnBranch(a)
  branch.mark()
  branch.moveTo(b)
  branch.mark()
  expect(branch.markedSteps).toBe(2)
  expect([branch.markOf(0), branch.markOf(1), branch.markOf(2)]).toEqual([
    { tip: a, state: { at: 'a' } },
    { tip: b, state: { at: 'b' } },
    undefined,
  ])
})

test('edits are counted from 0, or from where a resumed turn was', () => {
  const branch = new TurnBranch(undefined)
  expect([branch.nextEdit(), branch.nextEdit(), branch.edits]).toEqual([0, 1, 2])
  branch.restoreEdits(7)
  expect(branch.nextEdit()).toBe(7)
})
