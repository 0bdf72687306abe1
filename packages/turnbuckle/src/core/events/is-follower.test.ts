import { expect, test } from 'vitest'
import type { TurnState } from '../types/turn-state.ts'
import { isFollower, markFollower } from './is-follower.ts'

test('only a turn that was marked follows the conversation', () => {
  const marked = {} as TurnState
  markFollower(marked)
  markFollower(marked)
  expect([isFollower(marked), isFollower({} as TurnState)]).toEqual([true, false])
})
