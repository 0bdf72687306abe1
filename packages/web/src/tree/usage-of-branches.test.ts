import { expect, test } from 'vitest'
import { node, reply, treeOf } from '../../test/conversation.ts'
import { usageOfBranches } from './usage-of-branches.ts'

const usage = (cost: number) => ({ inputTokens: 100, outputTokens: 10, cost })

test('a branch costs what its path costs, and shared messages count for each branch', () => {
  const nodes = treeOf(
    node('q', null),
    { ...reply('a', 'q'), usage: usage(1) },
    { ...reply('b', 'a'), usage: usage(2) },
    { ...reply('c', 'a'), usage: usage(4) },
    node('free', null),
  )
  expect([...usageOfBranches(nodes)].map(([id, { cost }]) => [id, cost])).toEqual([
    ['b', 3],
    ['c', 5],
  ])
})
