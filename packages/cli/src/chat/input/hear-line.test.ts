import { expect, test } from 'vitest'
import { emptyChatState } from '../transcript/chat-state.ts'
import type { Question } from '../transcript/question.ts'
import { hearLine } from './hear-line.ts'
import { QuestionGuard } from './question-guard.ts'

const question: Question = { id: 'r', kind: 'permission', title: 'May shell run?', body: '$ ls' }

function hear(line: string, afterMs: number, questions: readonly Question[] = [question]) {
  let now = 0
  const guard = new QuestionGuard(() => now)
  guard.notice(questions[0]?.id)
  now = afterMs
  const done: unknown[] = []
  const session = {
    state: { ...emptyChatState, questions },
    answer: (_: Question, given: unknown) => void done.push(given),
    send: (text: string) => void done.push(`said ${text}`),
  }
  hearLine(session, guard, line, text => void done.push(text.split('\n')[0]))
  return done
}

const allowed = { decision: 'allow', scope: 'once' }

test.each([
  { line: 'yes', afterMs: 399, does: 'That was typed before this question appeared, so it is no answer.' },
  { line: 'yes', afterMs: 400, does: allowed },
  { line: 'no, keep it', afterMs: 10, does: { decision: 'deny', reason: 'keep it' } },
  { line: 'yes, and then test it', afterMs: 5000, does: 'Question.' },
])('"$line" $afterMs ms after the question appeared', ({ line, afterMs, does }) => {
  expect(hear(line, afterMs)).toEqual([does])
})

test('without a question a line is said', () => {
  expect(hear('yes', 5000, [])).toEqual(['said yes'])
})
