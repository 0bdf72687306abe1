import type { WireNode, WireTurn } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { node, reply, runningTurnOf, treeOf } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { PathMessages } from './path-messages.tsx'

const shown = (path: readonly WireNode[], hidden = 0, turns: readonly WireTurn[] = []) =>
  draw(PathMessages, {
    nodes: treeOf(...path),
    turns: new Map(turns.map(turn => [turn.id, turn])),
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

test.each([
  { status: 'failed', says: true },
  { status: 'stopped', says: false },
  { status: 'interrupted', says: false },
  { status: 'completed', says: false },
] as const)(
  'a turn that is $status says so behind its last message, though the path goes on: $says',
  ({ status, says }) => {
    const path = [node('a', null, { text: 'first' }), node('b', 'a', { text: 'second', turnId: 'u' })]
    const turn = { ...runningTurnOf('t', null), status, reason: 'overloaded' }
    expect(/first.*overloaded.*Try again.*second/s.test(shown(path, 0, [turn]))).toBe(says)
    expect(shown(path.slice(0, 1), 0, [turn])).not.toContain('overloaded')
  },
)
