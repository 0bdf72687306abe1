import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { node, treeOf } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { layOutTree } from './tree-layout.ts'
import { useFlowElements } from './use-flow-elements.ts'

const nodes = treeOf(node('a', null), node('b', 'a'), node('c', 'a'))
const marks = {
  head: 'b',
  path: new Set(['a', 'b']),
  tips: new Map([['t', 'c']]),
  found: ['b'],
  picked: ['c'],
  wanted: undefined,
  pick: () => {},
}
let flow: ReturnType<typeof useFlowElements> | undefined
function Drawing(): ReactNode {
  flow = useFlowElements(nodes, layOutTree(nodes), marks)
  return null
}

test('each message is a node with an edge from its parent; head, path, hits and what runs are marked', () => {
  draw(Drawing, {})
  expect(flow?.edges.map(({ id, className }) => `${id} ${className}`)).toEqual([
    'start>a on-path',
    'a>b on-path',
    'a>c ',
  ])
  const data = Object.fromEntries(flow?.nodes.map(one => [one.id, one.data]) ?? [])
  expect(data.b).toMatchObject({ head: true, onPath: true, dim: false, running: false })
  expect(data.c).toMatchObject({ head: false, onPath: false, dim: true, running: true, picked: true })
})
