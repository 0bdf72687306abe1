import { demandRight } from '../access/rights.ts'
import type { RoleOf } from '../access/roles.ts'
import { type CallName, calls, type Handlers } from './contract.ts'

/** The handlers behind the table of rights: a role that may not make a call is refused before anything is looked up. */
export function withRights(handlers: Handlers, roleOf: RoleOf): Handlers {
  const guarded = Object.entries(handlers).map(([name, handle]) => [
    name,
    (input: { readonly person: string }) => {
      demandRight(roleOf, input.person, calls[name as CallName].act)
      return (handle as (given: unknown) => unknown)(input)
    },
  ])
  return Object.fromEntries(guarded)
}
