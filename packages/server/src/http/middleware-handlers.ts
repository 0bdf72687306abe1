import { type Agent, type MiddlewareInfo, TurnbuckleError } from 'turnbuckle'
import type { WireMiddleware } from 'turnbuckle/client'
import type { MiddlewareSwitches } from '../access/middleware-switches.ts'
import { demandRole, hasRole, type RoleOf } from '../access/roles.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { Inspector } from '../inspector/inspector.ts'
import type { Handlers } from './contract.ts'

interface MiddlewareHandlersOptions {
  readonly agent: Agent
  readonly conversations: ConversationService
  readonly inspector: Inspector
  readonly switches: MiddlewareSwitches
  readonly roleOf: RoleOf
}

/** The calls that list and switch middleware. Members switch for their own conversations; guards, and for everyone, owners. */
export function createMiddlewareHandlers(
  options: MiddlewareHandlersOptions,
): Pick<Handlers, 'listMiddleware' | 'switchMiddleware'> {
  const { agent, conversations, inspector, switches, roleOf } = options
  // The inspector is not in the list, and cannot be switched off.
  const all = () => agent.middleware.filter(({ name }) => name !== inspector.middleware.name)
  return {
    async listMiddleware({ person }) {
      return { middleware: await Promise.all(all().map(info => wireMiddleware(options, person, info))) }
    },
    async switchMiddleware({ person, params: { name = '' }, body: { enabled, conversationId } }) {
      const info = all().find(one => one.name === name)
      if (!info) throw new TurnbuckleError('middleware.unknown', `There is no middleware "${name}".`)
      if (conversationId !== undefined) await conversations.open(person, conversationId)
      if (info.guard) demandRole(roleOf, person, 'owner', 'switch a guard')
      else if (conversationId === undefined) demandRole(roleOf, person, 'owner', 'switch a middleware for everyone')
      else demandRole(roleOf, person, 'member', 'switch a middleware')
      const place = conversationId === undefined ? {} : { conversationId }
      await switches.switch({ name, enabled, ...place, by: person, at: Date.now() })
      conversations.announceSwitch(conversationId === undefined ? undefined : person)
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
  const isOwner = hasRole(roleOf, person, 'owner')
  const switched = [undefined, ...owned.map(([id]) => id)].flatMap(conversationId => {
    const last = switches.last(conversationId === undefined ? { name } : { name, conversationId })
    return last ? { by: last.by, at: last.at, ...(conversationId === undefined ? {} : { conversationId }) } : []
  })
  return {
    ...info,
    hooks: inspector.figures(name),
    ...(owned.length ? { inConversations: Object.fromEntries(owned) } : {}),
    ...(switched.length ? { switched } : {}),
    switchable: isOwner
      ? ['conversation', 'everyone']
      : guard || !hasRole(roleOf, person, 'member')
        ? []
        : ['conversation'],
  }
}
