import { block } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** A call that would have run. */
export interface PlannedCall {
  /** The id of the call. */
  readonly callId: string
  /** The step, from 0. */
  readonly step: number
  /** The tool's name. */
  readonly name: string
  /** The arguments of the call. */
  readonly args: unknown
}

/** The options of `dryRun`. */
export interface DryRunOptions {
  /** Tools without effects, which do run. None by default. */
  readonly safe?: readonly (string | RegExp)[]
  /** Shown the plan when the turn is over. */
  readonly onPlan?: (plan: readonly PlannedCall[]) => void
  /** The text that the model is told instead of a result. */
  readonly say?: string
}

const shape = (): Shape<DryRunOptions> => ({ safe: is.tools, onPlan: is.run, say: is.text })

/**
 * Runs nothing that has effects: every call of a tool that is not listed as safe is blocked, and the model told to go on
 * as if it had worked. The plan is shown call by call (event `plan.step`) and as a whole at the end (`plan.ready`).
 * Comes before other guards, so nobody is asked about what does not run. A guard: when it fails, nothing runs either.
 *
 * ```ts
 * createAgent({ model, tools, use: [dryRun({ safe: ['read_file', /^list_/] })] })
 * ```
 */
export function dryRun(options: DryRunOptions = {}): Middleware {
  checkOptions('dryRun', options, shape)
  const { safe = [], onPlan, say = 'Dry run: not run. Go on as if it had worked.' } = options
  const isSafe = (name: string) =>
    safe.some(pattern => (typeof pattern === 'string' ? pattern === name : name.search(pattern) >= 0))
  return middleware<readonly PlannedCall[]>({
    name: 'dry-run',
    description: 'Runs no tool that changes something, and says what it would have done.',
    guard: true,
    priority: 0,
    state: [],
    beforeTool(ctx) {
      const { id, name, args } = ctx.call
      if (isSafe(name)) return
      const planned: PlannedCall = { callId: id, step: ctx.step, name, args }
      ctx.update(plan => [...plan, planned])
      ctx.emit({ type: 'plan.step', ...planned })
      return block(say)
    },
    afterTurn(ctx) {
      // A sub-agent's calls are part of its caller's plan.
      if (ctx.turn.parent) return
      ctx.emit({ type: 'plan.ready', plan: ctx.state })
      onPlan?.(ctx.state)
    },
  })
}
