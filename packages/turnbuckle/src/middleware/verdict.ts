import { type Message, textOf } from '../core/base/message.ts'
import type { Model } from '../core/base/ports.ts'
import type { AfterContext } from '../core/hooks/hook-types.ts'
import { userMessage } from './user-message.ts'

/** A judge's verdict on an answer. */
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

/** A verdict that the answer begins with: the word by itself on its line, or before a full stop, colon or dash. */
const leading = /^[^\w\n]*(?:verdict\W+)?(accept(?:ed)?|revised?|reject(?:ed)?)(?=[ \t]*(?:[.:!*_`)\]"—–-]|\n|$))\W*/i
/** A verdict in capitals somewhere in the answer. Acceptance has a line of its own: "I would not ACCEPT this" is none. */
const shouted = /\b(?:REVISE|REJECT)\b|^\W*ACCEPT\W*$/gm
const mentioned = /\bACCEPT\b/
const refused = /\b(?:REVISE|REJECT)\b/

/** Reads a judge's answer. Throws when it cannot be read, or could be read in two ways, which must not count as acceptance. */
function parse(text: string): Opinion {
  const said = text.trim()
  const first = leading.exec(said)
  const advice = said.slice(first?.[0].length ?? 0).trim()
  const decision = first && decisionOf(first[1])
  // "ACCEPT. No: REJECT" says two things.
  if (decision && (decision !== 'accept' || !refused.test(advice))) return { decision, advice }
  const found = new Set(said.match(shouted)?.map(word => decisionOf(word.replace(/\W/g, ''))))
  const [only] = found
  if (!only || found.size > 1 || (only !== 'accept' && mentioned.test(said)))
    throw new Error(`The critic said neither accept, revise nor reject: ${text.slice(0, 200)}`)
  return { decision: only, advice: said }
}

const decisionOf = (word = ''): Opinion['decision'] => {
  const start = word.slice(0, 3).toLowerCase()
  return start === 'acc' ? 'accept' : start === 'rej' ? 'reject' : 'revise'
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
