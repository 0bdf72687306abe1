import { TurnbuckleError } from '../../core/base/errors.ts'
import type { Maybe } from '../../core/base/maybe.ts'
import { isThenable } from '../../core/base/ports.ts'
import { type AskOptions, type PermissionAnswer, readFallback } from '../../core/events/request.ts'
import type { Context } from '../../core/hooks/hook-types.ts'
import { validateArguments } from '../../core/tools/tool.ts'
import type { Tool } from '../../core/types/tool.ts'
import { type Answers, answeredBy } from './answer-alone.ts'
import type { ApprovalQuestion } from './approval-question.ts'
import { isPassedOn, type PassedOn, schemaWithDelegates } from './passed-on.ts'

/** Whom to ask next when nobody has answered after a while. */
export interface Escalation {
  /** Milliseconds after which the question goes on to them. */
  readonly after: number
  /** The person to ask next: they may answer, and are in the payload as `to`. */
  readonly to: string
}

/** A vote: this many of these people must say yes. The conversation's owner is always one of them. */
export interface Quorum {
  readonly needed: number
  readonly of: readonly string[]
}

/** A decision in place of the people who did not answer, or one more person to ask. */
export type Delegated = PermissionAnswer | 'allow' | 'deny' | { readonly to: string; readonly timeout?: number }

/** The people a permission is asked of, and what counts when nobody answers. */
export interface Asking {
  /** The people who may answer, beside the conversation's owner. */
  readonly to?: string | readonly string[]
  /** Milliseconds until the fallback. By default none where a log keeps the question, five minutes where nothing does. */
  readonly timeout?: number
  /** When nobody answers: `deny` (default), `allow`, or `stop` the turn. */
  readonly fallback?: 'deny' | 'allow' | 'stop'
  /** The people who are asked next, each after a while. */
  readonly escalate?: readonly Escalation[]
  /** When nobody has answered: code decides, or names who is asked next. Nothing, and a failure: the fallback. */
  readonly delegate?: (question: ApprovalQuestion) => Maybe<Delegated | undefined>
  /** The people whom a person who is asked may pass the question on to, with `{ decision: 'delegate', to }`; `'*'` is everybody. Not with a quorum. */
  readonly delegates?: readonly string[]
  /** The number of different people who must say yes: those named here, else those of `to`, else any. One no is enough. 1 by default. */
  readonly quorum?: number | Quorum
}

export interface Question {
  /** Answers it without a person. */
  readonly answers: Answers | undefined
  readonly payload: ApprovalQuestion
  /** True where a rule of `ask` or `deny` is about the call. */
  readonly isRuled: boolean
  /** The tool that other arguments have to fit. */
  readonly tool: Tool | undefined
}

/** One asking of a question: whom, and for how long. */
interface Round {
  readonly to: readonly string[] | undefined
  /** The person who has passed the question on. */
  readonly from?: string | undefined
  readonly timeout?: number | undefined
  readonly fallback?: 'deny' | 'allow' | undefined
  /** The person who is asked when the time is over. */
  readonly next?: string | undefined
}

/** The votes that are needed, and the people whose votes count beside the owner's; `'*'` is everybody. */
export function quorumOf({ quorum = 1, to = '*' }: Pick<Asking, 'quorum' | 'to'>): Quorum {
  const { needed, of = [to].flat() } = typeof quorum === 'number' ? { needed: quorum } : quorum
  return { needed, of }
}

/** Asks until there is a decision. Nothing: nobody answered, and the fallback is `stop`. */
export async function askPeople(
  ctx: Context,
  question: Question,
  options: Asking,
): Promise<PermissionAnswer | undefined> {
  const { needed, of } = quorumOf(options)
  const votes: PermissionAnswer[] = []
  for (;;) {
    const shown = needed > 1 ? { quorum: { needed, given: votes.length }, ...question.payload } : question.payload
    const vote = needed > 1 ? { people: of, votes } : undefined
    const { answer, isVote } = await new Asker(ctx, { ...question, payload: shown }, options, vote).ask()
    if (!answer || !isVote || answer.decision === 'deny') return answer
    if (votes.push(answer) >= needed) return agreed(votes, answer)
  }
}

/** The answer of several votes: for longer than once only where all name one scope and pattern, and for no longer than any of them said. */
function agreed(votes: readonly PermissionAnswer[], last: PermissionAnswer): PermissionAnswer {
  if (votes.length === 1) return last
  const { scope, expires: _expires, uses: _uses, ...once } = last
  const by = votes.map(vote => vote.by).join(', ')
  const alike = votes.every(vote => vote.scope === scope && vote.pattern === last.pattern)
  if (!alike || !scope) return { ...once, by }
  const [expires, uses] = [least(...votes.map(vote => vote.expires)), least(...votes.map(vote => vote.uses))]
  return { ...once, scope, by, ...(expires ? { expires } : {}), ...(uses ? { uses } : {}) }
}

/** The smallest of those that were given. */
export function least(...limits: readonly (number | undefined)[]): number | undefined {
  const given = limits.filter(limit => limit !== undefined)
  return given.length ? Math.min(...given) : undefined
}

interface Vote {
  readonly people: readonly string[]
  readonly votes: readonly PermissionAnswer[]
}

/** `isVote`: a person gave it, and so it is one of those that a quorum needs. */
interface Given {
  readonly answer: PermissionAnswer | undefined
  readonly isVote: boolean
}

/** Gets one answer: asks one person after the other until one answers. */
class Asker {
  readonly #ctx: Context
  readonly #question: Question
  readonly #options: Asking
  readonly #vote: Vote | undefined

  constructor(ctx: Context, question: Question, options: Asking, vote: Vote | undefined) {
    this.#ctx = ctx
    this.#question = question
    this.#options = options
    this.#vote = vote
  }

  async ask(): Promise<Given> {
    for (const round of this.#rounds()) {
      const answer = await this.#askRound(round)
      if (answer) return { answer, isVote: answer.by !== undefined || !this.#vote }
    }
    return this.#delegate()
  }
  /** The last round has the fallback, unless somebody is asked after it. */
  #rounds(): Round[] {
    const { to, timeout, escalate = [], delegate } = this.#options
    const people = [to === undefined ? undefined : [to].flat(), ...escalate.map(next => [next.to])]
    return people.map((named, i) => {
      const next = escalate[i]
      return {
        to: named,
        timeout: next ? next.after : timeout,
        fallback: next || delegate ? undefined : this.#fallback,
        next: next?.to,
      }
    })
  }
  get #fallback(): 'deny' | 'allow' | undefined {
    const { fallback = 'deny' } = this.#options
    return fallback === 'stop' ? undefined : fallback
  }

  async #delegate(): Promise<Given> {
    const { delegate } = this.#options
    const given = await delegated(() => delegate?.(this.#question.payload))
    if (given === 'allow' || given === 'deny') return { answer: { decision: given }, isVote: false }
    if (given && 'decision' in given) return { answer: given, isVote: false }
    const fallback = this.#fallback
    if (!given) return { answer: fallback && (readFallback('permission', fallback) as PermissionAnswer), isVote: false }
    const { to, timeout = this.#options.timeout } = given
    const answer = await this.#askRound({ to: [to], timeout, fallback })
    return { answer, isVote: answer?.by !== undefined || !this.#vote }
  }

  /** Nothing where nobody answered and the round has no fallback. A person whom it is passed on to is asked in the same round. */
  async #askRound(round: Round): Promise<PermissionAnswer | undefined> {
    for (let asked = round; ; ) {
      const answer = await this.#askOnce(asked)
      if (!answer || !isPassedOn(answer)) return answer
      asked = { ...round, to: [answer.to], from: answer.by }
    }
  }
  async #askOnce({ to, from, timeout, fallback, next }: Round): Promise<PermissionAnswer | PassedOn | undefined> {
    const { payload, answers, isRuled } = this.#question
    const { delegates } = this.#options
    const shown = {
      ...payload,
      ...(to ? { to: to.join(', ') } : {}),
      ...(from === undefined ? {} : { from }),
      ...(next === undefined ? {} : { next }),
      ...(delegates ? { delegates } : {}),
    }
    const people = this.#vote ? [...new Set([...(to ?? []), ...this.#vote.people])] : to
    const options: AskOptions = {
      check: answer => this.#check(answer as PermissionAnswer),
      ...(await answeredBy(answers, shown, { turn: this.#ctx.turn, isRuled })),
      ...(timeout === undefined ? {} : { timeout }),
      ...(fallback === undefined ? {} : { fallback }),
      ...(people ? { to: people } : {}),
      ...(delegates ? { schema: schemaWithDelegates(delegates) } : {}),
      ...(this.#vote ? { voted: this.#vote.votes.flatMap(({ by }) => by ?? []) } : {}),
    }
    return unlessExpired(this.#ctx.ask('permission', shown, options))
  }

  #check({ args }: PermissionAnswer): void {
    const { tool } = this.#question
    if (args === undefined) return
    if (this.#vote) throw new Error('Several people decide here: the arguments cannot be changed.')
    if (tool) checkArguments(tool, args)
  }
}

/** A delegate that fails has decided nothing. */
async function delegated(decide: () => Maybe<Delegated | undefined>): Promise<Delegated | undefined> {
  try {
    return await decide()
  } catch {
    return undefined
  }
}

async function unlessExpired<Answer>(asking: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof TurnbuckleError && error.code === 'request.expired') return undefined
    throw error
  }
}

/** Throws what is wrong with the arguments that an answer changed. An asynchronous schema is asked only when the call runs. */
function checkArguments(tool: Tool, args: unknown): void {
  const checked = validateArguments(tool, args)
  if (isThenable(checked)) checked.then(undefined, () => {})
}
