import { messageOf } from '../../core/base/errors.ts'
import type { Maybe } from '../../core/base/maybe.ts'
import type { AskOptions, PermissionAnswer } from '../../core/events/request.ts'
import type { Context } from '../../core/hooks/hook-types.ts'
import type { ApprovalQuestion } from './approval-question.ts'

/** A question's turn, and whether a rule of `ask` or `deny` is about the call: such a call is a person's to allow. */
export interface AskedFor {
  readonly turn: Turn
  readonly isRuled: boolean
}

type Given = PermissionAnswer | 'allow' | 'deny' | undefined

/** Answers a question without a person; nothing: a person is waited for. The question is opened when the answer is there. */
export type Answers = (question: ApprovalQuestion, about: AskedFor) => Maybe<Given>

type Turn = Context['turn']

/** Options for `ask` with which its question is answered at once. What fails, or makes no sense as an answer, is a no. */
export async function answeredBy(
  answers: Answers | undefined,
  question: ApprovalQuestion,
  about: AskedFor,
): Promise<Pick<AskOptions, 'onOpen'>> {
  if (!answers) return {}
  const give = await prepared(() => answers(question, about))
  return { onOpen: id => void answer(about.turn, id, give).catch(() => {}) }
}

/** Gives the answer, or throws what giving it has thrown. */
async function prepared(answers: () => Maybe<Given>): Promise<() => Given> {
  try {
    const given = await answers()
    return () => given
  } catch (error) {
    return () => {
      throw error
    }
  }
}

async function answer(turn: Turn, id: string, give: () => Given): Promise<void> {
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
