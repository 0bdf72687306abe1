import type { ChatSession } from '../session/chat-session.ts'
import { spokenAnswer, spokenQuestion } from '../spoken-lines.ts'
import type { QuestionGuard } from './question-guard.ts'
import { submitInput } from './submit-input.ts'

type HearingSession = Pick<ChatSession, 'state' | 'answer' | 'send'>

/** A line in a chat that is spoken. One that comes with the question (`QuestionGuard`) was begun before it, and is no yes; a no counts at any time. */
export function hearLine(
  session: HearingSession,
  guard: Pick<QuestionGuard, 'ignores'>,
  line: string,
  print: (text: string) => void,
): void {
  const [question] = session.state.questions
  const text = line.trim()
  const answer = question && spokenAnswer(question, text)
  if (question && answer !== undefined && !isNo(answer) && guard.ignores(false))
    print(`That was typed before this question appeared, so it is no answer.\n${spokenQuestion(question)}`)
  else if (question && answer !== undefined) session.answer(question, answer)
  else if (question) print(spokenQuestion(question))
  else if (text) submitInput(session as ChatSession, text, false)
}

const isNo = (answer: unknown): boolean => (answer as { readonly decision?: unknown }).decision === 'deny'
