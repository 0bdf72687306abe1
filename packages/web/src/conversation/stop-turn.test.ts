import { expect, test } from 'vitest'
import { conversation, givePage, node, runningTurnOf } from '../../test/conversation.ts'
import { stopTurn } from './stop-turn.ts'

test.each([
  { name: 'the running turn', turns: [runningTurnOf('t', null)], interrupted: ['t'] },
  { name: 'nothing where no turn runs', turns: [], interrupted: [] },
])('interrupts $name', ({ turns, interrupted }) => {
  const calls: string[] = []
  const nodes = [node('a', null)]
  givePage(
    { conversation: conversation({ nodes, head: 'a', turns }) },
    { interrupt: async turnId => void calls.push(turnId) },
  )
  stopTurn()
  expect(calls).toEqual(interrupted)
})
