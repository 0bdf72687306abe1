import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversation, givePage, node, runningTurnOf } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { announceElsewhere, lookAt } from './look-at.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const nodes = [node('a', null, { turnId: 't1' }), node('b', 'a', { turnId: 't1' }), node('c', 'a', { turnId: 't2' })]

test('a look at the tip of a running turn goes along with that turn', () => {
  givePage({ openId: 'c', conversation: conversation({ nodes, head: 'b', turns: [runningTurnOf('t2', 'a')] }) })
  lookAt('c')
  expect(useAppState.getState().conversation).toMatchObject({ head: 'c', headTurn: 't2' })
})

test('what another page began is announced, with a way to its end', () => {
  givePage({ openId: 'c', conversation: conversation({ nodes, head: 'b' }) })
  announceElsewhere('t2')
  const { notice } = useAppState.getState()
  expect(notice).toMatchObject({ text: 'Another page went on in another branch.', tone: 'news' })
  notice?.action?.run()
  expect(useAppState.getState().conversation?.head).toBe('c')
})
