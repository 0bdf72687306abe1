import type { Maybe } from '../../core/base/maybe.ts'
import type { Call } from '../../core/base/message.ts'
import { isThenable } from '../../core/base/ports.ts'
import { permitCall } from '../../core/context/permit-call.ts'
import { block, Directive, stop } from '../../core/directives/directives.ts'
import type { PermissionAnswer } from '../../core/events/request.ts'
import type { BeforeContext } from '../../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../../core/hooks/middleware.ts'
import { checkOptions, type Shape } from '../check-options.ts'
import * as is from '../kinds.ts'
import { optionError } from '../option.ts'
import type { Answers } from './answer-alone.ts'
import type { ApprovalQuestion } from './approval-question.ts'
import { type Asking, askPeople, least, quorumOf } from './ask-people.ts'
import { digest, fingerprint } from './fingerprint.ts'
import {
  allows,
  counts,
  denies,
  type Grant,
  mayDeny,
  memoryPermissions,
  type PermissionStore,
  type Where,
} from './grants.ts'
import { type Proposal, propose, proposeDenial, usual } from './proposals.ts'
import { compile, type PermissionRules, type Rules, rulesShape } from './rules.ts'
import { type CallPlaces, type Parts, type Subject, subjectOf } from './subject.ts'

/** The options of `approval`. */
export interface ApprovalOptions extends PermissionRules, Asking {
  /** The store in which grants are kept, listed and revoked. In memory by default; a function gives each conversation its own. */
  readonly store?: PermissionStore | StoreFor
  /** The name of the project that the scope `project` stands for. Without it such an answer counts for the conversation. */
  readonly project?: string
  /** The longest a grant lives, in milliseconds, and how often it can be used. The answer may ask for less. */
  readonly expires?: number
  /** How often what a person allowed counts, unless the answer says so itself. */
  readonly uses?: number
  /** The tools it applies to; all by default. */
  readonly tools?: readonly (string | RegExp)[]
  /** The texts that argument patterns are matched against: for shells every command in the line. */
  readonly parts?: Parts
  /** Where the path of a call leads, links followed: `workspacePlaces({ root })`. What is forbidden there is forbidden by any name. */
  readonly places?: CallPlaces
  /** Tells what the call would change, for the person who is asked: goes into the question as `preview`. */
  readonly preview?: (call: Call) => Maybe<unknown>
  /** Looks at the call again when a yes comes, which may be hours later. A text says why the yes no longer counts: the call is blocked. */
  readonly recheck?: (call: Call) => Maybe<string | undefined>
  /** Answers at once, for tests, hooks and runs without a person. Nothing: a person is waited for. */
  readonly answers?: Answers
  /** Only needed where an agent has several. `approval` by default. */
  readonly name?: string
}

type StoreFor = (conversation: { readonly id: string }) => PermissionStore

interface Said {
  /** Calls that a person said yes to, with the tool and the arguments they said it to. */
  readonly yes: readonly string[]
}
type Ctx = BeforeContext<'tool', Said>

const shape = (): Shape<ApprovalOptions> => ({
  ...rulesShape(),
  timeout: is.number(0),
  fallback: is.oneOf('deny', 'allow', 'stop'),
  escalate: is.list(is.shaped('{ after, to }', { after: is.number(0), to: is.text })),
  delegate: is.run,
  delegates: is.some(is.text),
  to: is.either(is.text, is.some(is.text)),
  quorum: is.either(is.number(1), is.only('{ needed, of }', { needed: is.number(1), of: is.some(is.text) })),
  store: is.either(is.run, is.port('list', 'add', 'revoke', 'use')),
  project: is.text,
  expires: is.number(1),
  uses: is.number(1),
  tools: is.tools,
  parts: is.run,
  places: is.run,
  preview: is.run,
  recheck: is.run,
  answers: is.run,
  name: is.text,
})

/**
 * Asks a person before a tool runs, unless a rule or an earlier answer decides. A yes for `once` is bound to the tool's
 * definition and to these arguments; for longer, to a pattern the person was shown. Runs behind everything that rewrites
 * calls. A guard: when it fails, the call is blocked.
 *
 * ```ts
 * createAgent({ model, tools, use: [approval({ allow: ['read_file'], deny: ['shell(rm *)'] })] })
 * ```
 */
export function approval(options: ApprovalOptions = {}): Middleware {
  checkOptions('approval', options, shape)
  const { tools, store = memoryPermissions(), name = 'approval' } = options
  const { needed, of } = quorumOf(options)
  if (needed > 1 && !of.includes('*') && needed > of.length + 1)
    throw optionError(`approval: ${needed} votes are needed, and only ${of.join(', ')} and the owner can vote.`)
  if (options.delegates && options.quorum !== undefined && options.quorum !== 1)
    throw optionError('approval: a vote cannot be passed on. Give it `delegates` or `quorum`, not both.')
  const desk = new Desk(options, compile(options), typeof store === 'function' ? store : () => store)
  return middleware<Said>({
    name,
    description: 'Asks a person before a tool runs, where the rules do not decide.',
    guard: true,
    state: { yes: [] },
    ...(tools ? { tools } : {}),
    beforeTool: ctx => desk.decide(ctx),
    // Rules that deny hold while nobody is asked: they are the settings', and no switch lifts them.
    whenOff: { beforeTool: ctx => desk.decide(ctx, 'denials') },
  })
}

/** A call that may not run, or the end of the turn. */
type Refusal = Directive<'block' | 'stop'>

/** Decides about one call after the other. Holds no state: what was said is in the turn's state and in the store. */
class Desk {
  readonly #options: ApprovalOptions
  readonly #rules: Rules
  readonly #storeFor: StoreFor

  constructor(options: ApprovalOptions, rules: Rules, storeFor: StoreFor) {
    this.#options = options
    this.#rules = rules
    this.#storeFor = storeFor
  }

  /** With `denials`: calls that are denied, or may be, are decided as ever; all others may run. */
  decide(ctx: Ctx, only?: 'denials'): Maybe<Refusal | undefined> {
    const subject = subjectOf(ctx.call, this.#options.parts, this.#options.places)
    const rule = this.#rules.denied(subject)
    if (rule !== undefined) return block(`The rule "${rule}" forbids it.`)
    const print = fingerprint(ctx.tool)
    const { yes } = ctx.state
    if (yes.length && yes.includes(keyOf(ctx.turn.id, ctx.call, print))) {
      permitCall(ctx, ctx.call)
      return
    }
    const where = this.#where(ctx)
    const store = this.#storeFor({ id: where.conversationId })
    const about = { subject, print, where, store, only }
    const listed = store.list(ctx.clock)
    return isThenable(listed) ? listed.then(grants => this.#weigh(ctx, about, grants)) : this.#weigh(ctx, about, listed)
  }

  #weigh(ctx: Ctx, about: About, listed: readonly Grant[]): Maybe<Refusal | undefined> {
    const grants = listed.filter(grant => counts(grant, about.where))
    const no = grants.find(grant => denies(grant, about.subject))
    if (no) return denied(no.reason ?? `A person has said no to ${no.pattern}.`)
    // A call that may be forbidden is always asked about: no grant covers it, and the answer can give none.
    const doubtful = this.#rules.doubtful(about.subject) || grants.some(grant => mayDeny(grant, about.subject))
    if (doubtful) return this.#ask(ctx, about, [])
    if (about.only === 'denials') return undefined
    const needed = this.#needed(about, grants)
    if (!needed) return this.#ask(ctx, about)
    return needed.size ? this.#use(ctx, about, needed) : undefined
  }

  #where(ctx: Ctx): Where {
    let { turn } = ctx
    while (turn.parent) turn = turn.parent
    return { conversationId: turn.conversationId, project: this.#options.project, now: ctx.clock.now() }
  }

  /** The grants without which a text of the call is not allowed; nothing when one is not allowed at all. */
  #needed({ subject, print }: About, grants: readonly Grant[]): ReadonlySet<Grant> | undefined {
    const needed = new Set<Grant>()
    for (const text of subject.texts) {
      if (this.#rules.allowed(subject, text)) continue
      const grant = grants.find(candidate => allows(candidate, subject, text, print))
      if (!grant) return undefined
      needed.add(grant)
    }
    return needed
  }

  /** Each grant that was needed is used once. */
  async #use(ctx: Ctx, about: About, needed: ReadonlySet<Grant>): Promise<Refusal | undefined> {
    for (const { id } of needed) if (!(await about.store.use(id))) return this.#ask(ctx, about)
    permitCall(ctx, ctx.call)
    return undefined
  }

  async #ask(ctx: Ctx, about: About, proposals = propose(about.subject)): Promise<Refusal | undefined> {
    const { call } = ctx
    const shown = usual(about.subject, proposals)
    const patterns = proposals.map(({ text }) => text)
    const denial = proposeDenial(about.subject)
    const payload: ApprovalQuestion = {
      id: call.id,
      name: call.name,
      args: call.args,
      tool: { description: ctx.tool?.description ?? '' },
      patterns,
      covers: proposals.map(({ covers }) => covers),
      ...(shown ? { pattern: shown.text } : {}),
      ...(denial ? { denies: denial.text } : {}),
      scopes: shown ? ['once', 'conversation', ...(about.where.project ? ['project'] : []), 'always'] : ['once'],
      ...(await this.#preview(call)),
    }
    const { answers } = this.#options
    const isRuled = this.#rules.asks(about.subject)
    const answer = await askPeople(ctx, { payload, answers, isRuled, tool: ctx.tool }, this.#options)
    if (!answer) return stop(`Nobody answered whether ${call.name} may run.`)
    const named = proposals.find(({ text }) => text === answer.pattern)
    const agreed = named ?? (answer.decision === 'deny' ? denial : shown)
    return this.#take(ctx, about, answer, agreed)
  }

  async #preview(call: Call): Promise<{ preview?: unknown; diff?: string }> {
    const preview = await this.#options.preview?.(call)
    if (preview === undefined) return {}
    const { diff } = (preview ?? {}) as { diff?: unknown }
    return typeof diff === 'string' ? { preview, diff } : { preview }
  }

  async #take(ctx: Ctx, about: About, answer: PermissionAnswer, agreed: Proposal | undefined) {
    const { call } = ctx
    if (fingerprint(ctx.tool) !== about.print)
      return block(`${call.name} was changed while the question waited for its answer. Call it again.`)
    const changed = answer.args === undefined ? call : { ...call, args: answer.args }
    const outdated = answer.decision === 'allow' ? await this.#options.recheck?.(changed) : undefined
    if (outdated !== undefined) return block(outdated)
    if (answer.scope && answer.scope !== 'once' && agreed) await this.#keep(ctx, about, answer, agreed)
    if (answer.decision === 'deny') return denied(answer.reason ?? 'A person said no.')
    permitCall(ctx, changed)
    // The call may come by again, with the arguments as the person has changed them: this yes covers just that.
    const key = keyOf(ctx.turn.id, changed, about.print)
    ctx.update(state => ({ yes: [...state.yes, key] }))
    return undefined
  }

  async #keep(ctx: Ctx, { print, where, store }: About, answer: PermissionAnswer, agreed: Proposal): Promise<void> {
    const { decision, reason, scope } = answer
    const expires = least(this.#options.expires, answer.expires)
    const uses = decision === 'allow' ? least(this.#options.uses, answer.uses) : undefined
    // This call is the first use.
    if (uses !== undefined && uses <= 1) return
    const now = ctx.clock.now()
    const project = scope === 'project' ? where.project : undefined
    const wide = scope === 'always' || project !== undefined
    await store.add({
      id: ctx.ids.next('grant'),
      decision,
      scope: wide ? (scope as Grant['scope']) : 'conversation',
      tool: ctx.call.name,
      pattern: agreed.text,
      patterns: agreed.patterns,
      fingerprint: print,
      ...(wide ? {} : { conversationId: where.conversationId }),
      ...(project === undefined ? {} : { project }),
      ...(reason === undefined ? {} : { reason }),
      ...(answer.by === undefined ? {} : { by: answer.by }),
      createdAt: now,
      ...(expires === undefined ? {} : { expiresAt: now + expires }),
      ...(uses === undefined ? {} : { usesLeft: uses - 1 }),
    })
  }
}

interface About {
  readonly subject: Subject
  readonly print: string
  readonly where: Where
  readonly store: PermissionStore
  readonly only: 'denials' | undefined
}

/** A sub-agent's call may have the id of one of its caller's. */
const keyOf = (turn: string, { id, name, args }: Call, print: string) => digest({ turn, id, name, args, print })

/** A no that was given before is a person's no as well. */
const denied = (reason: string): Refusal => new Directive('block', reason, 'denied')
