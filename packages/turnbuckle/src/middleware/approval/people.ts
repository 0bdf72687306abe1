import { TurnbuckleError } from '../../core/base/errors.ts'
import { isThenable } from '../../core/base/ports.ts'
import type { PermissionAnswer } from '../../core/events/request.ts'
import type { Context } from '../../core/hooks/hook-types.ts'
import { validateArguments } from '../../core/tools/tool.ts'
import type { Tool } from '../../core/types/tool.ts'
import { type Answers, answeredBy } from './answer-alone.ts'
import type { ApprovalQuestion } from './approval.ts'

/** Whom to ask next when nobody has answered after a while. */
export interface Escalation {
  /** Milliseconds after which the question goes on to them. */
  readonly after: number
  /** The person to ask next: in the payload as `to`, for the code that shows the question. */
  readonly to: string
}

export interface Asking {
  /** Milliseconds until the fallback. Five minutes by default; `Infinity` waits for ever. */
  readonly timeout?: number
  /** When nobody answers: `deny` (default), `allow`, or `stop` the turn. */
  readonly fallback?: 'deny' | 'allow' | 'stop'
  readonly escalate?: readonly Escalation[]
  /** The number of different people who must say yes; each answer then names its author in `by`. One no is enough. 1 by default. */
  readonly quorum?: number
}

export interface Question {
  /** Answers it without a person. */
  readonly answers: Answers | undefined
  readonly payload: ApprovalQuestion
  /** The patterns that an answer may name. */
  readonly patterns: readonly string[]
  /** The tool that other arguments have to fit. */
  readonly tool: Tool | undefined
}

/** Asks until there is a decision. Nothing: nobody answered, and the fallback is `stop`. */
export async function askPeople(
  ctx: Context,
  question: Question,
  options: Asking,
): Promise<PermissionAnswer | undefined> {
  const { quorum = 1 } = options
  const given: PermissionAnswer[] = []
  for (;;) {
    const payload =
      quorum > 1 ? { quorum: { needed: quorum, given: given.length }, ...question.payload } : question.payload
    const answer = await askOne(ctx, { ...question, payload }, options, given)
    if (!answer || answer.decision === 'deny') return answer
    if (given.push(answer) >= quorum) return agreed(given, answer)
  }
}

/** The answer of several votes: for longer than once only where all name one scope and pattern, and for no longer than any of them said. */
function agreed(votes: readonly PermissionAnswer[], last: PermissionAnswer): PermissionAnswer {
  if (votes.length === 1) return last
  const { scope, ...once } = last
  const by = votes.map(vote => vote.by).join(', ')
  const alike = votes.every(vote => vote.scope === scope && vote.pattern === last.pattern)
  const [expires, uses] = [least(...votes.map(vote => vote.expires)), least(...votes.map(vote => vote.uses))]
  return alike ? { ...last, by, expires, uses } : { ...once, by }
}

/** The smallest of those that were given. */
export function least(...limits: readonly unknown[]): number | undefined {
  const given = limits.filter(limit => typeof limit === 'number')
  return given.length ? Math.min(...given) : undefined
}

/** Gets a vote: asks one person after the other until one answers. */
async function askOne(
  ctx: Context,
  { payload, answers, ...question }: Question,
  options: Asking,
  given: readonly PermissionAnswer[],
): Promise<PermissionAnswer | undefined> {
  const { timeout, fallback = 'deny', escalate = [], quorum = 1 } = options
  const check = (answer: unknown) => checkAnswer(answer, question, quorum > 1 ? given : undefined)
  let shown = payload
  for (const { after, to } of escalate) {
    const alone = answeredBy(answers, ctx.turn, shown)
    const answer = await unlessExpired(ctx.ask('permission', shown, { check, timeout: after, ...alone }))
    if (answer) return answer
    shown = { ...payload, to }
  }
  const alone = answeredBy(answers, ctx.turn, shown)
  const last = { check, ...alone, ...(timeout === undefined ? {} : { timeout }) }
  if (fallback === 'stop') return unlessExpired(ctx.ask('permission', shown, last))
  return ctx.ask('permission', shown, { ...last, fallback })
}

async function unlessExpired(asking: Promise<PermissionAnswer>): Promise<PermissionAnswer | undefined> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof TurnbuckleError && error.code === 'request.expired') return undefined
    throw error
  }
}

const scopes: readonly unknown[] = ['once', 'conversation', 'project', 'always', undefined]
const isCount = (value: unknown): boolean => value === undefined || (typeof value === 'number' && value > 0)

/** Throws when an answer makes no sense. `votes`: those given before, where several people decide. */
function checkAnswer(
  given: unknown,
  { patterns, tool }: Pick<Question, 'patterns' | 'tool'>,
  votes: readonly PermissionAnswer[] | undefined,
): void {
  const answer = (given ?? {}) as Partial<PermissionAnswer>
  if ((answer.decision !== 'allow' && answer.decision !== 'deny') || !scopes.includes(answer.scope))
    throw new Error('Expected { decision: "allow" | "deny", scope?: "once" | "conversation" | "project" | "always" }.')
  if (answer.pattern !== undefined && !patterns.includes(answer.pattern as string))
    throw new Error(`The pattern must be one of those shown: ${patterns.join('; ')}.`)
  if (!isCount(answer.expires) || !isCount(answer.uses))
    throw new Error('expires (milliseconds) and uses must be greater than 0.')
  if (votes) checkVote(answer, votes)
  if (tool && answer.args !== undefined) checkArguments(tool, answer.args)
}

/** Throws what is wrong with the arguments that an answer changed. An asynchronous schema is asked only when the call runs. */
function checkArguments(tool: Tool, args: unknown): void {
  const checked = validateArguments(tool, args)
  if (isThenable(checked)) checked.then(undefined, () => {})
}

function checkVote({ by, args }: Partial<PermissionAnswer>, votes: readonly PermissionAnswer[]): void {
  if (typeof by !== 'string' || !by) throw new Error('Several people decide here: say who answers, { by }.')
  if (votes.some(vote => vote.by === by)) throw new Error(`${by} has answered already; somebody else must.`)
  if (args !== undefined) throw new Error('Several people decide here: the arguments cannot be changed.')
}
