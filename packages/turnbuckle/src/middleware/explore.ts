import { type Message, textOf } from '../core/base/message.ts'
import type { Model, Prompt } from '../core/base/ports.ts'
import { noUsage, plus } from '../core/base/usage-sums.ts'
import { countElsewhere } from '../core/context/count-elsewhere.ts'
import type { Snapshot } from '../core/directives/directives.ts'
import type { BeforeContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'
import type { Turn, TurnResult } from '../core/types/turn.ts'
import { checkOptions, type Shape } from './check-options.ts'
import { instructed } from './instructed.ts'
import * as is from './kinds.ts'
import { workBeside } from './side-by-side.ts'
import { userMessage } from './user-message.ts'

/** The settings in which a branch differs from the others. */
export interface Variant {
  /** System text for this branch, in addition. */
  readonly instructions?: string
  /** Model parameters for this branch. */
  readonly params?: Readonly<Record<string, unknown>>
  /** Another model for this branch. */
  readonly model?: Model
}

/** An answer of one branch, for the judge to choose from. */
export interface Candidate {
  /** The answer's text. */
  readonly text: string
  /** The messages of the branch. */
  readonly messages: readonly Message[]
  /** The variant that the branch was made with. */
  readonly variant: Variant
}

/** Names the best candidate by its place. */
export type Chooser = (candidates: readonly Candidate[], question: Message) => number | Promise<number>

/** The options of `explore`. */
export interface ExploreOptions {
  /** The branches, one for each variant; the first is the turn itself. Two alike by default. */
  readonly variants?: readonly Variant[]
  /** A function, or a model that is shown the question and the answers. */
  readonly judge: Chooser | Model
  /** Explore this message at all? Always by default. */
  readonly when?: (message: Message) => boolean
}

type Ctx = BeforeContext<'turn', undefined>

const variant = (): is.Kind =>
  is.only('{ instructions?, params?, model? }', {
    instructions: is.optional(is.text),
    params: is.optional(is.plain),
    model: is.optional(is.model),
  })
const shape = (): Shape<ExploreOptions> => ({
  variants: is.list(variant()),
  judge: is.needed(is.judge),
  when: is.run,
})

/**
 * Works on a message on several branches side by side and keeps the one a judge prefers; the others stay in the tree.
 * Tools run on every branch: use it where that does no harm. Not a guard, and fails open: when judging fails, the turn's
 * own branch is kept.
 *
 * ```ts
 * explore({ variants: [{}, { model: other }, { params: { temperature: 1 } }], judge: small })
 * ```
 */
export function explore(options: ExploreOptions): Middleware {
  checkOptions('explore', options, shape)
  const { variants = [{}, {}], judge, when = () => true } = options
  const rivals = new WeakSet<Turn>()
  return middleware({
    name: 'explore',
    description: 'Works on several branches beside each other, and goes on with the best.',
    onFailure: 'open',
    beforeModel(ctx) {
      const own = variants[0]
      if (own && !rivals.has(ctx.turn)) ctx.prompt = varied(ctx.prompt, own)
    },
    async wrapTurn(ctx, next) {
      if (rivals.has(ctx.turn) || !when(ctx.message)) return next()
      const branches = variants.slice(1).map(variant => branch(ctx, variant, rivals))
      countElsewhere(ctx, () => branches.reduce((sum, { turn }) => plus(sum, turn.usage), noUsage))
      try {
        const own = (await next()) as TurnResult
        if (own.status !== 'completed') return own
        return await keepBest(ctx, own, variants[0] ?? {}, branches, judge)
      } finally {
        for (const { turn } of branches) if (!turn.ended) turn.interrupt('another branch ended the exploration')
      }
    },
  })
}

interface Branch {
  readonly turn: Turn
  readonly variant: Variant
  /** The snapshot of the branch at its end. */
  end(): Snapshot | undefined
}

/** Works on a copy of the message on a branch of its own. */
function branch(ctx: Ctx, variant: Variant, rivals: WeakSet<Turn>): Branch {
  let end: Snapshot | undefined
  const rival = middleware({
    name: 'explore-branch',
    beforeModel(inner) {
      inner.prompt = varied(inner.prompt, variant)
    },
    async wrapTurn(inner, next) {
      const result = await next()
      end = inner.snapshot()
      return result
    },
  })
  const { role, content } = ctx.message
  const { signal, turn: own } = ctx
  // Middleware of this turn alone, such as a sub-agent's limits, holds for its rivals too.
  const turn = ctx.fork().send({ role, content }, { signal, use: [...own.use, rival] })
  rivals.add(turn)
  workBeside(own, turn)
  return { turn, variant, end: () => end }
}

const varied = (prompt: Prompt, { instructions, params, model }: Variant): Prompt => {
  const changed = changedPrompt(prompt, {
    ...(params ? { params: { ...prompt.params, ...params } } : {}),
    ...(model ? { model } : {}),
  })
  return instructions ? instructed(changed, instructions) : changed
}

async function keepBest(
  ctx: Ctx,
  own: TurnResult,
  variant: Variant,
  branches: readonly Branch[],
  judge: Chooser | Model,
): Promise<TurnResult> {
  const ended = await Promise.all(branches.map(async each => ({ ...each, result: await each.turn.settled })))
  const rivals = ended.filter(({ result }) => result.status === 'completed')
  const elsewhere = ended.reduce((sum, { result }) => plus(sum, result.usage), noUsage)
  if (!rivals.length) return { ...own, elsewhere }
  const candidates = [{ ...own, variant }, ...rivals.map(each => ({ ...each.result, variant: each.variant }))]
  const best = await choose(ctx, judge, candidates)
  const winner = rivals[best - 1]
  const end = winner?.end()
  ctx.emit({ type: 'explore.chosen', best, of: candidates.length, turnIds: ended.map(({ turn }) => turn.id) })
  if (!winner || !end) return { ...own, elsewhere }
  ctx.restore(end)
  const { text, messages, steps } = winner.result
  return { ...own, text, messages, steps, elsewhere }
}

/** The place of the best candidate. */
async function choose(ctx: Ctx, judge: Chooser | Model, candidates: readonly Candidate[]): Promise<number> {
  return typeof judge === 'function' ? judge(candidates, ctx.message) : asked(ctx, judge, candidates)
}

async function asked(ctx: Ctx, model: Model, candidates: readonly Candidate[]): Promise<number> {
  const answers = candidates.map(({ text }, i) => `Answer ${i + 1}:\n${text}`).join('\n\n')
  const { text } = await ctx.generate(model, {
    instructions: 'Which answer is best? Reply with its number alone.',
    messages: [userMessage('choice', `Question:\n${textOf(ctx.message)}\n\n${answers}`)],
  })
  const best = Number(/\d+/.exec(text)?.[0]) - 1
  if (!candidates[best]) throw new Error(`The judge named no answer: ${text.slice(0, 200)}`)
  return best
}
