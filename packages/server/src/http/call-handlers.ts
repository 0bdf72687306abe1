import type { Agent } from 'turnbuckle'
import type { NewTurn, WireModel } from 'turnbuckle/client'
import type { AuditList } from '../access/audit-list.ts'
import type { LiveConnections } from '../access/live-connections.ts'
import type { MiddlewareSwitches } from '../access/middleware-switches.ts'
import type { People } from '../access/people.ts'
import type { RoleOf } from '../access/roles.ts'
import type { Permissions } from '../access/stored-permissions.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { Inspector } from '../inspector/inspector.ts'
import type { Handlers } from './contract.ts'
import { createMiddlewareHandlers } from './middleware-handlers.ts'
import { createPeopleHandlers } from './people-handlers.ts'
import { createPermissionHandlers } from './permission-handlers.ts'
import { withRights } from './with-rights.ts'

export interface CallHandlersOptions {
  readonly agent: Agent
  readonly conversations: ConversationService
  readonly inspector: Inspector
  readonly permissions: Permissions | undefined
  readonly switches: MiddlewareSwitches
  readonly roleOf: RoleOf
  readonly people: People
  readonly audit: AuditList
  readonly connections: LiveConnections
}

/** A handler for each call of the contract, behind the table of rights. Used by HTTP and WebSocket alike. */
export function createCallHandlers(options: CallHandlersOptions): Handlers {
  const handlers = {
    ...conversationHandlers(options),
    ...turnHandlers(options),
    ...createMiddlewareHandlers(options),
    ...createPermissionHandlers(options),
    ...createPeopleHandlers(options),
    listModels: () => ({ default: options.agent.model.id, models: [wireModel(options.agent.model.id)] }),
  }
  return withRights(handlers, options.roleOf)
}

type ConversationCalls =
  | 'createConversation'
  | 'listConversations'
  | 'getConversation'
  | 'changeConversation'
  | 'deleteConversation'
  | 'exportConversation'
  | 'hideMessage'
  | 'restoreMessage'
  | 'search'

function conversationHandlers({
  conversations,
  permissions,
  switches,
}: CallHandlersOptions): Pick<Handlers, ConversationCalls> {
  return {
    async createConversation({ person, body: { title }, key }) {
      const { id, head } = await conversations.create(person, { title, key })
      return { id, head }
    },
    listConversations: async ({ person, query: { limit, before } }) => ({
      conversations: await conversations.list(person, limit, before),
    }),
    getConversation: ({ person, params }) => conversations.view(person, params.id ?? ''),
    async changeConversation({ person, params, body }) {
      const conversation = await conversations.open(person, params.id ?? '', 'talk')
      await conversation.change(body)
      return conversations.summary(person, conversation)
    },
    async deleteConversation({ person, params: { id = '' } }) {
      await conversations.delete(person, id)
      await switches.forget(id)
      // Permissions for this conversation alone go with it.
      for (const grant of (await permissions?.list(person)) ?? [])
        if (grant.scope === 'conversation' && grant.conversationId === id) await permissions?.revoke(person, grant.id)
    },
    async exportConversation({ person, params }) {
      const { id, title, head, nodes } = await conversations.view(person, params.id ?? '')
      return { id, title, head, nodes }
    },
    hideMessage: async ({ person, params }) =>
      (await conversations.open(person, params.id ?? '', 'keepConversation')).hide(params.messageId ?? ''),
    restoreMessage: async ({ person, params }) =>
      (await conversations.open(person, params.id ?? '', 'keepConversation')).restore(params.messageId ?? ''),
    search: async ({ person, query }) => ({ results: await conversations.search(person, query.q) }),
  }
}

type TurnCalls =
  | 'startTurn'
  | 'interruptTurn'
  | 'interject'
  | 'explainTurn'
  | 'traceTurn'
  | 'listRequests'
  | 'answerRequest'

function turnHandlers({ conversations, inspector }: CallHandlersOptions): Pick<Handlers, TurnCalls> {
  return {
    startTurn: ({ person, params, body, key }) => conversations.start(person, params.id ?? '', body as NewTurn, key),
    async interruptTurn({ person, params: { id = '' }, body }) {
      await conversations.withTurn(person, id, turn => turn.interrupt(body?.reason))
      return { turnId: id }
    },
    async interject({ person, params: { id = '' }, body }) {
      await conversations.withTurn(person, id, turn => turn.interject(body.text))
      return { turnId: id }
    },
    explainTurn: async ({ person, params: { id = '' } }) => ({
      turnId: id,
      decisions: await conversations.decisions(person, id),
    }),
    async traceTurn({ person, params: { id = '' } }) {
      const live = inspector.trace(id)
      const kept = await conversations.spans(person, id)
      return { turnId: id, ...(live ?? { spans: kept, open: [] }) }
    },
    listRequests: async ({ person }) => ({ requests: await conversations.requestsTo(person) }),
    async answerRequest({ person, params: { id = '' }, body }) {
      await conversations.answer(person, id, body)
      return { requestId: id, decision: body }
    },
  }
}

const wireModel = (id: string): WireModel => (id === 'offline' ? { id, offline: true } : { id })
