import type { Maybe } from '../base/maybe.ts'
import { HookContext } from '../context/hook-context.ts'
import { block, type Directive } from '../directives/directives.ts'
import type { PermissionAnswer } from '../events/request.ts'
import type { BeforeContext } from '../hooks/hook-types.ts'
import { type Middleware, middleware } from '../hooks/middleware.ts'
import { isPermitted } from '../tools/is-permitted.ts'
import { permissionQuestion } from '../tools/permission-question.ts'
import { preparedArguments } from '../tools/run-tool.ts'
import { validateArguments } from '../tools/tool.ts'
import type { Tool } from '../types/tool.ts'

type Ctx = BeforeContext<'tool'>

/**
 * The guard of tools that need approval (decision 0014). Every agent that has such a tool has it, behind all other guards: it sees the
 * call that will run, and is silent where one of them has just had a person's yes to that call.
 */
export const needsApproval: Middleware = middleware({
  name: 'needsApproval',
  description: 'Asks a person before a tool runs that says it needs that.',
  guard: true,
  priority: Number.MAX_SAFE_INTEGER,
  beforeTool: ctx => (ctx.tool?.needsApproval ? decide(ctx, ctx.tool) : undefined),
})

async function decide(ctx: Ctx, tool: Tool): Promise<Directive<'block'> | undefined> {
  const { call } = ctx
  const frame = HookContext.frameOf(ctx)
  // A call that a person has changed comes by again, as it is then.
  if (frame.revised || isPermitted(frame, call) || !(await isNeeded(ctx, tool))) return undefined
  const check = (answer: unknown) => checkArguments(tool, answer as PermissionAnswer)
  const { decision, reason } = await ctx.ask('permission', permissionQuestion(call, tool.description), {
    fallback: 'deny',
    check,
  })
  return decision === 'deny' ? block(reason ?? 'A person said no.') : undefined
}

function isNeeded(ctx: Ctx, { needsApproval: needs }: Tool): Maybe<boolean> {
  return typeof needs === 'function' ? needs(preparedArguments(HookContext.frameOf(ctx)) as never) : needs === true
}

/** Arguments that a person has changed have to fit; an asynchronous schema is asked when the call runs. */
function checkArguments(tool: Tool, { args }: PermissionAnswer): void {
  if (args === undefined) return
  const checked = validateArguments(tool, args)
  if (checked instanceof Promise) checked.catch(() => {})
}
