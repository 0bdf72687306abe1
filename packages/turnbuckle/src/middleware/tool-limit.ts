import type { Call } from '../core/base/message.ts'
import { block, type Directive, stop } from '../core/directives/directives.ts'
import type { Context } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, checkSome, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `toolLimit`. */
export interface ToolLimitOptions {
  /** Calls of all tools together. */
  readonly max?: number
  /** Calls of one tool, by name. */
  readonly tools?: Readonly<Record<string, number>>
  /** The turns counted together: one turn (default), or all of the conversation, on every branch. */
  readonly scope?: 'turn' | 'conversation'
  /** `block` (default): the call does not run and the model is told why. `stop`: the turn ends. */
  readonly atLimit?: 'block' | 'stop'
  /** Only needed where an agent has several. `tool-limit` by default. */
  readonly name?: string
}

interface Counted {
  readonly total: number
  /** The calls so far of each tool that has a limit of its own. */
  readonly tools: Readonly<Record<string, number>>
  /** The calls of the step that each turn is in, as turn, step and call: one that is looked at again counts once. */
  readonly recent: readonly string[]
}

type Counting = Pick<Context<Counted>, 'turn' | 'step' | 'state' | 'update'>

const shape = (): Shape<ToolLimitOptions> => ({
  max: is.number(0),
  tools: is.record(is.number(0)),
  scope: is.scope(),
  atLimit: is.oneOf('block', 'stop'),
  name: is.text,
})

/**
 * Limits how often tools are called, one by one and in all, also inside a batch. A call counts when it is let through,
 * whatever comes of it. A guard: it sees the call that will really run, holds in sub-agents, and fails closed.
 *
 * ```ts
 * createAgent({ model, tools, use: [toolLimit({ max: 30, tools: { search: 5 } })] })
 * ```
 */
export function toolLimit(limit: number | ToolLimitOptions): Middleware {
  const options: ToolLimitOptions = typeof limit === 'number' ? { max: limit } : limit
  checkOptions('toolLimit', options, shape)
  checkSome('toolLimit', options ?? {}, ['max', 'tools'])
  const { max = Infinity, tools = {}, scope = 'turn', atLimit = 'block', name = 'tool-limit' } = options
  const end = (reason: string): Directive<'block' | 'stop'> =>
    atLimit === 'stop' ? stop(reason) : block(`Limit reached: ${reason}. Go on with what you have.`)
  return middleware<Counted>({
    name,
    description: 'Blocks calls of tools beyond a number.',
    guard: true,
    scope,
    state: { total: 0, tools: {}, recent: [] },
    beforeTool(ctx) {
      const { call, state } = ctx
      if (state.recent.includes(`${stepOf(ctx)}${call.id}`)) return
      const most = own(tools, call.name)
      if (most !== undefined && (own(state.tools, call.name) ?? 0) >= most) return end(`${most} calls of ${call.name}`)
      if (state.total >= max) return end(`${max} tool calls`)
      count(ctx, call, most !== undefined)
    },
    afterTurn(ctx) {
      const turn = `${ctx.turn.id} `
      ctx.update(counted => ({ ...counted, recent: counted.recent.filter(call => !call.startsWith(turn)) }))
    },
  })
}

/** A tool may be called `constructor`. */
const own = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

const stepOf = ({ turn, step }: Counting): string => `${turn.id} ${step} `

function count(ctx: Counting, { id, name }: Call, limited: boolean): void {
  const now = stepOf(ctx)
  const turn = `${ctx.turn.id} `
  ctx.update(({ total, tools, recent }) => ({
    total: total + 1,
    tools: limited ? { ...tools, [name]: (own(tools, name) ?? 0) + 1 } : tools,
    recent: [...recent.filter(call => !call.startsWith(turn) || call.startsWith(now)), now + id],
  }))
}
