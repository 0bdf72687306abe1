import type { WireEvent } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { moveServerHead } from './server-head.ts'

const tips = new Map([['t1', 'b']])
const before = { id: 'a', turnId: 't1' }

test.each([
  { what: 'a new turn', event: { type: 'turn.started', turnId: 't2', parentId: 'x' }, is: { id: 'x', turnId: 't2' } },
  { what: 'a turn told again', event: { type: 'turn.started', turnId: 't1', parentId: 'x' }, is: before },
  {
    what: 'its message',
    event: { type: 'message.added', turnId: 't1', messageId: 'c' },
    is: { id: 'c', turnId: 't1' },
  },
  { what: 'another turn’s message', event: { type: 'message.added', turnId: 't9', messageId: 'c' }, is: before },
  { what: 'a move', event: { type: 'head.moved', to: 'b' }, is: { id: 'b', turnId: 't1' } },
  {
    what: 'the end',
    event: { type: 'turn.completed', turnId: 't1', outcome: 'completed' },
    is: { id: 'a', turnId: undefined },
  },
])('$what moves the head to $is', ({ event, is }) => {
  expect(moveServerHead(before, event as unknown as WireEvent, tips)).toEqual(is)
})
