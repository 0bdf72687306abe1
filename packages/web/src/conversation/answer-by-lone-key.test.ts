import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversation, givePage, node, runningTurnOf } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { answerByLoneKey } from './answer-by-lone-key.ts'
import { editDraft } from './submit-draft.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test.each([
  { typed: 'a', answered: [{ decision: 'allow', scope: 'once' }], left: '' },
  { typed: 'also', answered: [], left: 'also' },
])('an A that becomes "$typed" answers $answered', async ({ typed, answered, left }) => {
  const given: unknown[] = []
  const open = conversation({
    nodes: [node('u', null)],
    head: 'u',
    turns: [runningTurnOf('t', null)],
    requests: [{ id: 'r', turnId: 't', openedAt: 0, kind: 'permission', payload: {} }],
  })
  givePage({ conversation: open }, { answer: async (_, value) => void given.push(value) })
  answerByLoneKey('a')
  editDraft({ text: typed })
  await vi.runAllTimersAsync()
  expect([given, useAppState.getState().draft.text]).toEqual([answered, left])
})
