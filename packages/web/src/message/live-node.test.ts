import type { LiveMessage } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { liveNode } from './live-node.ts'

const live: LiveMessage = {
  id: 'm',
  turnId: 't',
  parentId: 'p',
  reasoning: 'why',
  text: 'Let me',
  calls: [{ id: 'c', name: 'add', text: '{"a": 1, "b' }],
}

test('a live message has the parts that it will be recorded with, as far as they are written', () => {
  expect(liveNode(live)).toMatchObject({
    id: 'm',
    parentId: 'p',
    turnId: 't',
    message: {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'why' },
        { type: 'text', text: 'Let me' },
        { type: 'call', id: 'c', name: 'add', args: { a: 1 } },
      ],
    },
  })
})

test('parts that are still empty are left out', () => {
  expect(liveNode({ ...live, reasoning: '', text: '', calls: [] }).message.content).toEqual([])
})

test('the same live message gives the same node, so that React draws it once', () => {
  expect(liveNode(live)).toBe(liveNode(live))
  expect(liveNode({ ...live })).not.toBe(liveNode(live))
})
