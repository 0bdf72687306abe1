import { expect, test } from 'vitest'
import { failure, type TurnEnd, turnFacts } from './answer-form.ts'

const names = { id: 't', model: 'm', created: 0, conversationId: 'c' }
const ended = { outcome: 'stopped', reason: 'over budget', by: 'cost-limit' } as TurnEnd

test('how a turn ended is told beside OpenAI’s words, with its author and conversation', () => {
  expect(turnFacts(names, ended)).toEqual({
    turnbuckle: { conversationId: 'c', outcome: 'stopped', reason: 'over budget', by: 'cost-limit' },
  })
})

test('a failed turn is told in the words of its error; without one in those of its reason', () => {
  expect(failure({ ...ended, error: 'overloaded' } as TurnEnd)).toEqual({ code: 'turn.failed', message: 'overloaded' })
  expect(failure(ended).message).toBe('over budget')
})
