import { expect, test } from 'vitest'
import { givePage } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { beginCallEdit } from './begin-call-edit.ts'

test('two calls that are edited count as two, until their edits end', () => {
  givePage({})
  const ends = [beginCallEdit(), beginCallEdit()]
  const counts = [useAppState.getState().editedCalls]
  for (const end of ends) {
    end()
    counts.push(useAppState.getState().editedCalls)
  }
  expect(counts).toEqual([2, 1, 0])
})
