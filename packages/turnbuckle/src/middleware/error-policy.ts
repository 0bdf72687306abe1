import type { ErrorKind, ErrorPolicy } from '../core/base/errors.ts'
import { fail, replace } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { errorKindIn } from '../core/stages/built-in-stages.ts'
import { checkArgument } from './check-options.ts'
import * as is from './kinds.ts'

const rulesByKind = (): is.Kind => is.record(is.oneOf('stop', 'ignore'), is.errorKind())

/**
 * Sets what an error of each kind does once no retry has handled it: `stop` ends the turn as failed, `ignore` goes on. Kinds
 * that are not named stay as they are: a tool's errors and blocked calls are told to the model, all others end the turn.
 * A call that is not allowed has the kind `toolBlocked`. Ignoring a model's error ends the reply where it broke off.
 * A guard's own failure is never ignored. Not a guard: when it fails the agent's own policy holds.
 *
 * ```ts
 * createAgent({ model, tools, use: [errorPolicy({ toolBlocked: 'stop', timeout: 'ignore' })] })
 * ```
 */
export function errorPolicy(policy: ErrorPolicy): Middleware {
  checkArgument('errorPolicy', 'policy', policy, rulesByKind())
  const rules = new Map(Object.entries(policy)) as ReadonlyMap<ErrorKind, 'stop' | 'ignore'>
  return middleware({
    name: 'error-policy',
    description: 'Decides which errors a turn goes on after.',
    onError(error, ctx) {
      const rule = rules.get(errorKindIn(error, ctx.stage))
      if (rule === 'stop') return fail(error)
      if (rule !== 'ignore') return
      if (ctx.stage === 'model') return replace(ctx.draft.text)
      const { result } = ctx as { result?: unknown }
      // A call has its error result already; other stages have none to go on with.
      return ctx.stage === 'tool' ? replace(result) : undefined
    },
  })
}
