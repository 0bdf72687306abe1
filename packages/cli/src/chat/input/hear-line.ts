import type { ChatSession } from '../session/chat-session.ts'
import { runSlashCommand } from '../slash/run-slash-command.ts'
import { spokenAnswer, spokenQuestion } from '../spoken-lines.ts'
import type { QuestionGuard } from './question-guard.ts'

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
  else if (text.startsWith('/')) void runSlashCommand(session as ChatSession, text)
  else if (text) session.send(text)
}

const isNo = (answer: unknown): boolean => (answer as { readonly decision?: unknown }).decision === 'deny'
