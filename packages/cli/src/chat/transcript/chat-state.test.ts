import { expect, test } from 'vitest'
import { editorWith } from '../editor/editor.ts'
import { type ChatState, closeQuestion, emptyChatState } from './chat-state.ts'
import type { Question } from './question.ts'

const question = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  kind: 'text',
  title: '',
  body: '',
  ...more,
})
const asked: ChatState = {
  ...emptyChatState,
  editor: editorWith('an answ'),
  questions: [question('a', { writing: 'reason', draft: editorWith('draft') }), question('b')],
}

test('closing the question that is being answered gives the draft back', () => {
  expect(closeQuestion(asked, 'a')).toMatchObject({ questions: [{ id: 'b' }], editor: { text: 'draft' } })
})

test('closing a question that waits leaves the answer that is being written', () => {
  expect(closeQuestion(asked, 'b')).toMatchObject({ questions: [{ id: 'a' }], editor: { text: 'an answ' } })
})

test('all questions are closed without an id', () => {
  expect(closeQuestion(asked)).toMatchObject({ questions: [], editor: { text: 'draft' } })
})
