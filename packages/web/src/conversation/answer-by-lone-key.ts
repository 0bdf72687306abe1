import { answerOfKey, loneKeyMs, questionAtComposer } from '../requests/composer-answer.ts'
import { useAppState } from '../state/app-state.ts'
import { answerRequest } from './answer-request.ts'
import { editDraft } from './submit-draft.ts'

const { getState: get } = useAppState

/**
 * Answers the waiting question by A or D, typed into the empty composer, once no other key has followed for a moment. Not while a call is
 * edited: it would run as it was asked.
 */
export function answerByLoneKey(key: string): void {
  const question = questionAtComposer(get())
  const answer = question && answerOfKey(question, key)
  if (!question || answer === undefined || get().editedCalls) return
  setTimeout(() => {
    const { draft, editedCalls } = get()
    if (editedCalls || draft.text !== key || questionAtComposer(get())?.id !== question.id) return
    editDraft({ text: '' })
    void answerRequest(question.id, answer)
  }, loneKeyMs)
}
