import { expect, test } from 'vitest'
import { node, reply, treeOf } from '../../../test/conversation.ts'
import { draw } from '../../../test/draw.ts'
import { CompareBranches } from './compare-branches.tsx'

const nodes = treeOf(
  node('a', null, { text: 'How?' }),
  reply('b', 'a', [{ type: 'text', text: 'By boat.' }]),
  reply('c', 'a', [{ type: 'text', text: 'By train.' }]),
)
const shown = (left: string, right: string) => draw(CompareBranches, { nodes, left, right, close: () => {} })

test('branches are shown from where they part', () => {
  const html = shown('b', 'c')
  expect(html).toContain('One message is the same; they part here.')
  expect(html).toMatch(/First branch.*By boat\..*Second branch.*By train\./s)
  expect(html).not.toContain('How?')
})

test('a branch whose model counts no tokens shows none', () => {
  expect(shown('b', 'c')).not.toContain('class="usage"')
})

test.each([
  ['a', 'b'],
  ['b', 'a'],
])('%s and %s of one branch are not compared: another message is asked for', (left, right) => {
  const html = shown(left, right)
  expect(html).toContain('Both messages are on one branch')
  expect(html).toContain('Pick again')
  expect(html).not.toContain('First branch')
})
