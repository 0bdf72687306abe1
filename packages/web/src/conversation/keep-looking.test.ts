import type { WireEvent } from 'turnbuckle/client'
import { afterEach, expect, test } from 'vitest'
import { conversation, node } from '../../test/conversation.ts'
import { expectNoTurn, expectTurn, keepLooking } from './keep-looking.ts'

afterEach(expectNoTurn)

const nodes = [node('a', null), node('b', 'a'), node('c', 'a')]
const at = (head: string) => conversation({ nodes, head })
const started = (parentId: string) =>
  ({ type: 'turn.started', conversationId: 'c', turnId: 't', parentId, seq: 1, at: 0 }) as unknown as WireEvent

test('a turn at the end of the branch is gone along with, whoever began it', () => {
  const { state, elsewhere } = keepLooking(at('b'), started('b'))
  expect([state.head, state.headTurn, elsewhere]).toEqual(['b', 't', undefined])
})

test.each([
  { what: 'on another branch', head: 'b', parentId: 'c' },
  { what: 'at an inner message', head: 'a', parentId: 'a' },
])('a turn of another page $what is told, and not gone along with', ({ head, parentId }) => {
  const { state, elsewhere } = keepLooking(at(head), started(parentId))
  expect([state.head, state.headTurn, elsewhere]).toEqual([head, undefined, 't'])
})

test('a turn that this page asked for is gone along with, once', async () => {
  await expectTurn('a', async () => {})
  expect(keepLooking(at('b'), started('a')).state.headTurn).toBe('t')
  expect(keepLooking(at('b'), started('a')).elsewhere).toBe('t')
})

test('a turn that could not be begun is not waited for', async () => {
  await expect(expectTurn('a', () => Promise.reject(new Error('Away.')))).rejects.toThrow('Away.')
  expect(keepLooking(at('b'), started('a')).elsewhere).toBe('t')
})

test('a head that another page moved stays where it is here', () => {
  const moved = { type: 'head.moved', conversationId: 'c', from: 'b', to: 'c', seq: 1, at: 0 } as unknown as WireEvent
  const { state, elsewhere } = keepLooking(at('b'), moved)
  expect([state.head, elsewhere]).toEqual(['b', undefined])
})

test('a message that is hidden while it is looked at leaves the page at the next one above', () => {
  const hidden = { type: 'message.hidden', conversationId: 'c', messageId: 'b', seq: 1, at: 0 } as unknown as WireEvent
  expect(keepLooking(at('b'), hidden).state.head).toBe('a')
  expect(keepLooking(at('c'), hidden).state.head).toBe('c')
})
