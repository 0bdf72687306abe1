import { permitCall } from '../core/context/permit-call.ts'
import { block } from '../core/directives/directives.ts'
import type { Event } from '../core/events/events.ts'
import type { GuardContext } from '../core/hooks/hook-types.ts'

/** The key in `ctx.shared` of a hook's wish that a person decides on a call; its value is the reason. */
export const askKey = (callId: string): string => `claude-hooks.ask ${callId}`

/** Asks a person where a hook wants that, unless one has just said yes to this call. */
export async function askIfTold(ctx: GuardContext<'tool'>) {
  const { call, tool } = ctx
  const reason = ctx.shared.get<string>(askKey(call.id))
  if (reason === undefined || hasPersonSaidYes(ctx.log.events, call.id)) return undefined
  const { id, name, args } = call
  const payload = {
    ...{ id, name, args, tool: { description: tool?.description ?? '' } },
    ...{ patterns: [], covers: [], scopes: ['once'], preview: reason },
  }
  const answer = await ctx.ask('permission', payload, { fallback: 'deny' })
  if (answer.decision === 'deny') return block(answer.reason ?? 'A person said no.')
  permitCall(ctx, answer.args === undefined ? call : { ...call, args: answer.args })
  return undefined
}

function hasPersonSaidYes(events: readonly Event[], callId: string): boolean {
  const asked = events.findLast(
    event => event.type === 'request.opened' && (event.payload as { id?: unknown } | undefined)?.id === callId,
  )
  if (asked?.type !== 'request.opened') return false
  return events.some(event => event.type === 'request.answered' && event.requestId === asked.requestId)
}
