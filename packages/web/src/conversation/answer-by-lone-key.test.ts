import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversation, givePage, node, runningTurnOf } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { answerByLoneKey } from './answer-by-lone-key.ts'
import { editDraft } from './submit-draft.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test.each([
  { typed: 'a', editedCalls: 0, answered: [{ decision: 'allow', scope: 'once' }], left: '' },
  { typed: 'also', editedCalls: 0, answered: [], left: 'also' },
  { typed: 'a', editedCalls: 1, answered: [], left: 'a' },
])('an A that becomes "$typed" answers $answered while $editedCalls calls are edited', async given => {
  const { typed, editedCalls, answered, left } = given
  const answers: unknown[] = []
  const open = conversation({
    nodes: [node('u', null)],
    head: 'u',
    turns: [runningTurnOf('t', null)],
    requests: [{ id: 'r', turnId: 't', openedAt: 0, kind: 'permission', payload: {} }],
  })
  givePage({ conversation: open, editedCalls }, { answer: async (_, value) => void answers.push(value) })
  answerByLoneKey('a')
  editDraft({ text: typed })
  await vi.runAllTimersAsync()
  expect([answers, useAppState.getState().draft.text]).toEqual([answered, left])
})
