import { expect, test } from 'vitest'
import { conversation, node } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { BranchSwitcher } from './branch-switcher.tsx'

const nodes = [node('a', null), node('b', null), node('c', null)]
const open = conversation({ nodes, head: 'b' })

test.each([
  { at: 0, says: '1/3', disabled: 'Previous branch' },
  { at: 2, says: '3/3', disabled: 'Next branch' },
])('$says: there is no way on from $disabled', ({ at, says, disabled }) => {
  const html = draw(BranchSwitcher, { node: nodes[at] ?? node('x', null), count: 3 }, { conversation: open })
  expect(html.replaceAll('<!-- -->', '')).toContain(`<span>${says}</span>`)
  expect(html).toMatch(new RegExp(`aria-label="${disabled}"[^>]*disabled=""`))
})

test('a message without siblings has none', () => {
  expect(draw(BranchSwitcher, { node: node('a', null), count: 1 }, { conversation: open })).toBe('')
})
