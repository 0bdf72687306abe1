import type { WireNode } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { node, reply, treeOf } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { PathMessages } from './path-messages.tsx'

const shown = (path: readonly WireNode[], hidden = 0) =>
  draw(PathMessages, {
    nodes: treeOf(...path),
    calls: new Map(),
    agents: new Map(),
    path,
    growing: [],
    hidden,
    turnId: undefined,
  })

test('messages are drawn from the first that is not hidden on', () => {
  const path = [node('a', null, { text: 'first' }), reply('b', 'a', [{ type: 'text', text: 'second' }])]
  expect(shown(path)).toMatch(/id="m-a".*first.*id="m-b".*second/s)
  expect(shown(path, 1)).not.toContain('id="m-a"')
})

test('a path that does not begin at the root says that messages are missing', () => {
  expect(shown([node('b', 'gone', { text: 'later' })])).toContain('Earlier messages are missing here.')
  expect(shown([node('a', null, { text: 'first' })])).not.toContain('missing')
})
