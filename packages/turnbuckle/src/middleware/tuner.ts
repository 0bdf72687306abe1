import { messageOf } from '../core/base/errors.ts'
import type { AfterContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import type { LearnedStore } from './learned-store.ts'
import {
  type Observation,
  type Proposal,
  type ProposedAction,
  type Trial,
  type TriedProposal,
  type TunerRule,
  tunerRules,
} from './tuner-rules.ts'

/** The options of `tuner`. */
export interface TunerOptions {
  /** The newest turns that are looked at. 50 by default. */
  readonly window?: number
  /** Looks after each so many turns. 10 by default. */
  readonly every?: number
  /** `tunerRules` by default. */
  readonly rules?: readonly TunerRule[]
  /** Keeps what was seen and proposed, so that a restart forgets nothing: the agent's store. Without it the process does. */
  readonly store?: LearnedStore
  /**
   * Tries a proposal before it is offered: `replayTrial` of `turnbuckle/stores`. One that would have changed nothing is not offered.
   * Runs when the turn is over, and holds up nobody.
   */
  readonly trial?: (proposal: Proposal) => Trial | Promise<Trial>
  /** Names what is kept in the store, where several agents share one. `tuner` by default. */
  readonly name?: string
}

const shape = (): Shape<TunerOptions> => ({
  window: is.number(1),
  every: is.number(1),
  rules: is.list(is.run),
  store: is.port('get', 'set'),
  trial: is.run,
  name: is.text,
})

/** The knowledge of a tuner, as a store keeps it. */
interface Knowledge {
  readonly seen: readonly Observation[]
  /** Ids of the proposals that hold and were offered. */
  readonly told: readonly string[]
  readonly count: number
}

const space = 'tuner'

/**
 * Watches turns of all conversations (monitor), looks for what keeps going wrong (analyse), and proposes changes (plan), tried by replay
 * where that can tell. It only proposes: a person, or code of yours, decides. Not a guard, and fails open.
 *
 * ```ts
 * createAgent({ model, store, use: [tuner(proposal => console.log(proposal.reason, proposal.change), { store })] })
 * ```
 */
export function tuner(propose: (proposal: TriedProposal) => unknown, options: TunerOptions = {}): Middleware {
  checkArgument('tuner', 'propose', propose, is.run)
  checkOptions('tuner', options, shape)
  const { rules = tunerRules, trial, store, name = 'tuner' } = options
  const learn = learning(options)
  const offer = async (proposals: readonly Proposal[]) => {
    for (const proposal of proposals) {
      const tried = { ...proposal, trial: await tryProposal(proposal, trial) }
      if (hasEffect(tried.trial)) await propose(tried)
    }
  }
  return middleware<Observation['tools']>({
    name,
    description: 'Proposes settings from how turns went.',
    state: {},
    onFailure: 'open',
    afterTool(ctx) {
      const { name: called } = ctx.call
      const failed = ctx.result?.status === 'ok' ? 0 : 1
      ctx.update(tools => {
        const { calls, failures } = tools[called] ?? { calls: 0, failures: 0 }
        return { ...tools, [called]: { calls: calls + 1, failures: failures + failed } }
      })
    },
    async afterTurn(ctx) {
      const fresh = await learn(observe(ctx), rules, store, name)
      if (!trial) return offer(fresh)
      // A replay needs the end of the turn in the log.
      if (fresh.length) void ctx.turn.settled.then(() => offer(fresh)).catch(() => {})
      return undefined
    },
  })
}

function observe(ctx: AfterContext<'turn', Observation['tools']>): Observation {
  const { status, by } = ctx.result ?? refused(ctx)
  const { steps, usage, id } = ctx.turn
  const place = { conversationId: ctx.conversation.id, turnId: id }
  return { ...place, status, by, steps, usage, ms: ctx.clock.elapsed(), tools: ctx.state }
}

/** Takes in observations one after the other, and gives the proposals that are new. */
function learning({ window = 50, every = 10 }: TunerOptions) {
  let own: Knowledge = { seen: [], told: [], count: 0 }
  let last: Promise<unknown> = Promise.resolve()
  const take = async (seen: Observation, rules: readonly TunerRule[], store: LearnedStore | undefined, key: string) => {
    const known = readKnowledge(await store?.get(space, key)) ?? own
    own = { ...known, seen: [...known.seen, seen].slice(-window), count: known.count + 1 }
    let fresh: readonly Proposal[] = []
    if (own.count % every === 0) {
      const proposals = rules.flatMap(rule => rule(own.seen) ?? [])
      fresh = proposals.filter(({ id }) => !known.told.includes(id))
      own = { ...own, told: proposals.map(({ id }) => id) }
    }
    await store?.set(space, key, own)
    return fresh
  }
  return (...given: Parameters<typeof take>): Promise<readonly Proposal[]> => {
    const taken = last.then(() => take(...given))
    last = taken.catch(() => {})
    return taken
  }
}

function readKnowledge(kept: unknown): Knowledge | undefined {
  const { seen, told, count } = (kept ?? {}) as Partial<Knowledge>
  return Array.isArray(seen) && Array.isArray(told) && typeof count === 'number' ? { seen, told, count } : undefined
}

/** Actions whose effect no record can show, and why. */
const untold: Readonly<Partial<Record<ProposedAction['type'], string>>> = {
  'improve-tool':
    'The model would have been told something else, and how it would have called the tool then is not in the record.',
  'add-middleware': 'Attempts that failed are not in the record, nor is how another one would have gone.',
}

async function tryProposal(proposal: Proposal, trial: TunerOptions['trial']): Promise<Trial> {
  const reason = proposal.action && untold[proposal.action.type]
  if (reason !== undefined) return { verdict: 'unknown', reason }
  if (!trial)
    return { verdict: 'unknown', reason: 'No trial was given: tuner(propose, { trial: replayTrial(store, …) }).' }
  try {
    return await trial(proposal)
  } catch (error) {
    return { verdict: 'unknown', reason: `The trial failed: ${messageOf(error)}` }
  }
}

const hasEffect = (trial: Trial): boolean => trial.verdict === 'unknown' || trial.same < trial.turns

/** Ended before it began, by whoever said so last. */
const refused = (ctx: Pick<AfterContext<'turn'>, 'status' | 'turn'>): Pick<Observation, 'status' | 'by'> => ({
  status: ctx.status === 'failed' ? 'failed' : 'stopped',
  by: ctx.turn.explain().at(-1)?.by ?? 'turn',
})
