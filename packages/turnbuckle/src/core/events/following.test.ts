import { expect, test } from 'vitest'
import type { TurnState } from '../turn/turn-state.ts'
import { follow, isFollower } from './following.ts'

test('only a turn that was marked follows the conversation', () => {
  const marked = {} as TurnState
  follow(marked)
  follow(marked)
  expect([isFollower(marked), isFollower({} as TurnState)]).toEqual([true, false])
})
