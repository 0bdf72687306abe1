import type { Middleware } from 'turnbuckle'
import { type ApprovalOptions, approval, type PermissionRules } from 'turnbuckle/middleware'

type Hook = Middleware['hooks'][string]

/** `approval` whose rules may change while the agent runs: each call is decided by the rules of its moment. */
export function liveApproval(
  rules: () => PermissionRules,
  options: Omit<ApprovalOptions, keyof PermissionRules>,
): Middleware {
  let known = rules()
  let made = approval({ ...options, ...known })
  const now = (): Middleware => {
    const wanted = rules()
    if (wanted !== known) {
      made = approval({ ...options, ...wanted })
      known = wanted
    }
    return made
  }
  const through =
    (of: (one: Middleware) => Middleware | undefined): Hook =>
    (...args) =>
      of(now())?.hooks['beforeTool']?.(...args)
  const { whenOff } = made
  return {
    ...made,
    hooks: { beforeTool: through(one => one) },
    whenOff: whenOff && { ...whenOff, hooks: { beforeTool: through(one => one.whenOff) } },
  }
}
