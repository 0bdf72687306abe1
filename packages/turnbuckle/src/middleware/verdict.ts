import { type Message, textOf } from '../core/base/message.ts'
import type { Model } from '../core/base/ports.ts'
import type { AfterContext } from '../core/hooks/hook-types.ts'
import { userMessage } from './user-message.ts'

export type Verdict =
  | {
      /** `revise`: improve this answer. `reject`: throw it away and write another one. */
      readonly decision: 'accept' | 'revise' | 'reject'
      /** The changes to make; told to the model. */
      readonly advice?: string
    }
  | { readonly accepted: boolean; readonly advice?: string }

/** Looks at an answer that it has not written. */
export type Judge = (
  reply: Message,
  about: { readonly question: Message | undefined; readonly signal: AbortSignal },
) => Verdict | Promise<Verdict>

export interface Opinion {
  readonly decision: 'accept' | 'revise' | 'reject'
  readonly advice: string
}

type Ctx = AfterContext<'decide', { readonly round: number }>

export const reviewer: string =
  'You review an answer that somebody else wrote. Be strict and fair. The first line of your reply is one word: ACCEPT if ' +
  'the answer is correct and complete, REVISE if it needs changes, REJECT if it should be thrown away. After that, say ' +
  'what to change and why, in a few sentences.'

/** Asks a judge. A model gets a context of its own: the question and the answer, nothing else. */
export async function ask(ctx: Ctx, reply: Message, judge: Judge | Model, instructions: string): Promise<Opinion> {
  const question = ctx.draft.userMessage
  if (typeof judge === 'function') return read(await judge(reply, { question, signal: ctx.signal }))
  const text = `Question:\n${textOf(question)}\n\nAnswer:\n${textOf(reply)}`
  return parse((await ctx.generate(judge, { instructions, messages: [userMessage('review', text)] })).text)
}

/** Reads a judge's answer. Throws when it cannot be read, which must not count as acceptance. */
function parse(text: string): Opinion {
  const found = /^\W*(accept|revise|reject)\w*\W*/i.exec(text)
  if (!found) throw new Error(`The critic said neither accept, revise nor reject: ${text.slice(0, 200)}`)
  return { decision: found[1]?.toLowerCase() as Opinion['decision'], advice: text.slice(found[0].length).trim() }
}

function read(verdict: Verdict): Opinion {
  const said: { decision?: unknown; accepted?: unknown; advice?: string } = Object(verdict)
  const { decision, accepted, advice = '' } = said
  if (typeof accepted === 'boolean') return { decision: accepted ? 'accept' : 'revise', advice }
  if (isDecision(decision)) return { decision, advice }
  throw new Error('A judge gives { decision: "accept" | "revise" | "reject", advice? } or { accepted, advice? }.')
}

const isDecision = (value: unknown): value is Opinion['decision'] =>
  value === 'accept' || value === 'revise' || value === 'reject'
