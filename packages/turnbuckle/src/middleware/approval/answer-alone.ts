import { messageOf } from '../../core/base/errors.ts'
import type { AskOptions, PermissionAnswer } from '../../core/events/request.ts'
import type { Context } from '../../core/hooks/hook-types.ts'
import type { ApprovalQuestion } from './approval.ts'

/** Answers a question without a person; nothing: a person is waited for. */
export type Answers = (question: ApprovalQuestion) => PermissionAnswer | 'allow' | 'deny' | undefined

type Turn = Context['turn']

/** Options for `ask` with which its question is answered at once. What fails, or makes no sense as an answer, is a no. */
export const answeredBy = (
  answers: Answers | undefined,
  turn: Turn,
  question: ApprovalQuestion,
): Pick<AskOptions, 'onOpen'> =>
  answers ? { onOpen: id => void answer(turn, id, () => answers(question)).catch(() => {}) } : {}

async function answer(turn: Turn, id: string, give: () => ReturnType<Answers>): Promise<void> {
  // Later by a tick, so that listeners hear of the question before the answer.
  await undefined
  const root = rootOf(turn)
  try {
    const given = give()
    const { by, ...answer } = typeof given === 'string' ? { decision: given, by: undefined } : (given ?? {})
    if (given) root.answer(id, answer, { by })
  } catch (error) {
    root.answer(id, { decision: 'deny', reason: messageOf(error) }, { by: 'answers', owner: 'answers' })
  }
}

/** The topmost turn, at which questions of sub-agents surface. */
function rootOf(turn: Turn): Turn {
  let root = turn
  while (root.parent) root = root.parent
  return root
}
