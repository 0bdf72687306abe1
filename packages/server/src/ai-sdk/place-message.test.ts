import { expect, test } from 'vitest'
import { placeMessage, type Tree } from './place-message.ts'

const node = (id: string, parentId: string | null, turnId: string, role: 'user' | 'assistant') => ({
  id,
  parentId,
  turnId,
  message: { id, role, content: [{ type: 'text' as const, text: id }] },
})
/** Two turns: t1 is q1 and a1, t2 is q2 and a2 behind it. */
const tree: Tree = {
  nodes: [
    node('q1', null, 't1', 'user'),
    node('a1', 'q1', 't1', 'assistant'),
    node('q2', 'a1', 't2', 'user'),
    node('a2', 'q2', 't2', 'assistant'),
  ],
  tipOf: id => ({ t1: 'a1', t2: 'a2' })[id],
}
const user = (text: string) => ({ id: `ui-${text}`, role: 'user', parts: [{ type: 'text', text }] })
const answer = (id: string) => ({ id, role: 'assistant', parts: [] })

test.each([
  { what: 'behind the last answer', messages: [user('q1'), answer('t1'), user('new')], parentId: 'a1', words: ['new'] },
  { what: 'at the head without an answer', messages: [user('new')], parentId: undefined, words: ['new'] },
  { what: 'before the first message', messages: [user('new')], fromRoot: true, parentId: null, words: ['new'] },
  {
    what: 'with a message that never arrived',
    messages: [answer('t1'), user('lost'), user('new')],
    parentId: 'a1',
    words: ['lost', 'new'],
  },
  {
    what: 'behind a message that arrived and whose answer was not seen',
    messages: [answer('t1'), user('q2'), user('new')],
    parentId: 'a2',
    words: ['new'],
  },
])('a message is placed $what', ({ messages, fromRoot = false, parentId, words }) => {
  const place = placeMessage(messages, tree, fromRoot)
  expect(place.parentId).toBe(parentId)
  expect(place.words.map(({ id }) => id)).toEqual(words.map(text => `ui-${text}`))
})

test('an answer that is not in the tree is missing', () => {
  expect(() => placeMessage([answer('t9'), user('new')], tree, false)).toThrow('There is no message "t9" here.')
})
