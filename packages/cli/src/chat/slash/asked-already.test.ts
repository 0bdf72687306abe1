import { expect, test } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { isAskedAlready } from './asked-already.ts'

test('a question of the chat’s own stands in the way until it is answered', () => {
  const { session } = chatSession()
  expect(isAskedAlready(session)).toBe(false)
  session.ask({ kind: 'yes-no', title: 'Undo?', body: '' }, () => {})
  expect(isAskedAlready(session)).toBe(true)
  expect(lastText(session)).toContain('answer that first')
  const [question] = session.state.questions
  if (question) session.answer(question, { decision: 'deny' })
  expect(isAskedAlready(session)).toBe(false)
})
