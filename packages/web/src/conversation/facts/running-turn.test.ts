import { expect, test } from 'vitest'
import { conversation, node, runningTurnOf } from '../../../test/conversation.ts'
import { runningTurn } from './running-turn.ts'

const nodes = [node('a', null, { turnId: 't1' }), node('b', 'a', { turnId: 't2' }), node('c', 'a', { turnId: 't3' })]

test.each([
  { name: 'no turn runs', head: 'b', turns: [], is: undefined },
  { name: 'the turn runs at the head', head: 'b', turns: [runningTurnOf('t2', 'a')], is: 't2' },
  { name: 'a turn runs on another branch', head: 'b', turns: [runningTurnOf('t3', 'a')], is: undefined },
])('where $name it is $is', ({ head, turns, is }) => {
  expect(runningTurn(conversation({ nodes, head, turns }))).toBe(is)
})
