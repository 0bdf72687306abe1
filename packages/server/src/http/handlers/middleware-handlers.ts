import { type Agent, type MiddlewareInfo, TurnbuckleError } from 'turnbuckle'
import type { WireMiddleware } from 'turnbuckle/client'
import type { AuditList } from '../../access/audit-list.ts'
import type { MiddlewareSwitches } from '../../access/middleware-switches.ts'
import { type Act, demandRight, hasRight } from '../../access/rights.ts'
import type { RoleOf } from '../../access/roles.ts'
import type { ConversationService } from '../../conversations/conversation-service.ts'
import type { Inspector } from '../../inspector/inspector.ts'
import { conversationSettingsName } from '../../settings/conversation-settings.ts'
import type { Handlers } from '../contract.ts'

interface MiddlewareHandlersOptions {
  readonly agent: Agent
  readonly conversations: ConversationService
  readonly inspector: Inspector
  readonly switches: MiddlewareSwitches
  readonly roleOf: RoleOf
  readonly audit: AuditList
}

/** The calls that list and switch middleware. Members switch for their own conversations; guards, and for everyone, owners. */
export function createMiddlewareHandlers(
  options: MiddlewareHandlersOptions,
): Pick<Handlers, 'listMiddleware' | 'switchMiddleware'> {
  const { agent, conversations, inspector, switches, roleOf, audit } = options
  // The server's own middleware is not in the list, and cannot be switched off.
  const own = [inspector.middleware.name, conversationSettingsName]
  const all = () => agent.middleware.filter(({ name }) => !own.includes(name))
  return {
    async listMiddleware({ person }) {
      return { middleware: await Promise.all(all().map(info => wireMiddleware(options, person, info))) }
    },
    async switchMiddleware({ person, params: { name = '' }, body: { enabled, conversationId } }) {
      const info = all().find(one => one.name === name)
      if (!info) throw new TurnbuckleError('middleware.unknown', `There is no middleware "${name}".`)
      if (conversationId !== undefined) await conversations.open(person, conversationId, 'switchInConversation')
      if (info.guard) demandRight(roleOf, person, 'switchGuard')
      if (conversationId === undefined) demandRight(roleOf, person, 'switchForEveryone')
      const place = conversationId === undefined ? {} : { conversationId }
      await switches.switch({ name, enabled, ...place, by: person, at: Date.now() })
      await audit.add({ by: person, act: 'switched', what: name, decision: enabled ? 'on' : 'off', ...place })
      conversations.list.announceSwitch(conversationId === undefined ? undefined : person)
      return wireMiddleware(options, person, all().find(one => one.name === name) ?? info)
    },
  }
}

/** A middleware as one person is told of it: switches of other people's conversations are left out. */
async function wireMiddleware(
  { conversations, inspector, switches, roleOf }: MiddlewareHandlersOptions,
  person: string,
  { inConversations = {}, ...info }: MiddlewareInfo,
): Promise<WireMiddleware> {
  const owned: [string, boolean][] = []
  for (const [id, enabled] of Object.entries(inConversations))
    if (await conversations.isOwner(person, id)) owned.push([id, enabled])
  const { name, guard } = info
  const may = (act: Act) => hasRight(roleOf, person, act)
  const switched = [undefined, ...owned.map(([id]) => id)].flatMap(conversationId => {
    const last = switches.last(conversationId === undefined ? { name } : { name, conversationId })
    return last ? { by: last.by, at: last.at, ...(conversationId === undefined ? {} : { conversationId }) } : []
  })
  return {
    ...info,
    hooks: inspector.figures(name),
    ...(owned.length ? { inConversations: Object.fromEntries(owned) } : {}),
    ...(switched.length ? { switched } : {}),
    switchable: [
      ...(may(guard ? 'switchGuard' : 'switchInConversation') ? (['conversation'] as const) : []),
      ...(may('switchForEveryone') ? (['everyone'] as const) : []),
    ],
  }
}
