import type { NewTurn } from 'turnbuckle/client'
import type { Handlers } from '../contract.ts'
import { withRights } from '../with-rights.ts'
import type { CallHandlersOptions } from './call-handlers-options.ts'
import { createFileHandlers } from './file-handlers.ts'
import { createMiddlewareHandlers } from './middleware-handlers.ts'
import { createPeopleHandlers } from './people-handlers.ts'
import { createPermissionHandlers } from './permission-handlers.ts'
import { createScheduleHandlers } from './schedule-handlers.ts'
import { createSettingsHandlers } from './settings-handlers.ts'

/** A handler for each call of the contract, behind the table of rights. Used by HTTP and WebSocket alike. */
export function createCallHandlers(options: CallHandlersOptions): Handlers {
  const handlers = {
    ...conversationHandlers(options),
    ...turnHandlers(options),
    ...createScheduleHandlers(options),
    ...createMiddlewareHandlers(options),
    ...createPermissionHandlers(options),
    ...createPeopleHandlers(options),
    ...createFileHandlers(options),
    ...createSettingsHandlers(options),
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
  | 'listHidden'
  | 'search'

function conversationHandlers({
  conversations,
  models,
  permissions,
  switches,
  files,
}: CallHandlersOptions): Pick<Handlers, ConversationCalls> {
  return {
    async createConversation({ person, body: { title }, key }) {
      const { id, head } = await conversations.create(person, { title, key })
      return { id, head }
    },
    listConversations: async ({ person, query: { limit, before } }) => ({
      conversations: await conversations.list.page(person, limit, before),
    }),
    getConversation: ({ person, params }) => conversations.view(person, params.id ?? ''),
    async changeConversation({ person, params, body }) {
      const conversation = await conversations.open(person, params.id ?? '', 'talk')
      // A name that no model has is refused here, and not in every turn from then on.
      if (typeof body.model === 'string') await models.find(body.model)
      await conversation.change(body)
      // Another process may have written it.
      return conversations.list.summary(person, await conversations.open(person, params.id ?? '', 'talk'))
    },
    async deleteConversation({ person, params: { id = '' } }) {
      const deleted = await conversations.delete(person, id)
      for (const one of deleted) await switches.forget(one)
      // Permissions for these conversations alone go with them.
      for (const grant of (await permissions?.list(person)) ?? [])
        if (grant.scope === 'conversation' && deleted.some(one => one === grant.conversationId))
          await permissions?.revoke(person, grant.id)
    },
    async exportConversation({ person, params }) {
      const { id, title, head, nodes } = await conversations.view(person, params.id ?? '')
      const messages = nodes.map(({ message }) => message)
      const whole = await files.whole(id, messages)
      return { id, title, head, nodes: nodes.map((node, i) => ({ ...node, message: whole[i] })) }
    },
    hideMessage: async ({ person, params }) =>
      (await conversations.open(person, params.id ?? '', 'keepConversation')).hide(params.messageId ?? ''),
    restoreMessage: async ({ person, params }) =>
      (await conversations.open(person, params.id ?? '', 'keepConversation')).restore(params.messageId ?? ''),
    listHidden: async ({ person, params }) => ({
      hidden: (await conversations.open(person, params.id ?? '', 'keepConversation')).hidden(),
    }),
    search: async ({ person, query }) => ({ results: await conversations.list.search(person, query.q) }),
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
      await conversations.actOnTurn(person, id, { type: 'interrupt', reason: body?.reason })
      return { turnId: id }
    },
    async interject({ person, params: { id = '' }, body }) {
      await conversations.actOnTurn(person, id, { type: 'interject', text: body.text })
      return { turnId: id }
    },
    explainTurn: async ({ person, params: { id = '' } }) => ({
      turnId: id,
      decisions: await conversations.decisions(person, id),
    }),
    async traceTurn({ person, params: { id = '' } }) {
      const live = inspector.trace(id)
      const kept = await conversations.spans(person, id)
      const { spans, open } = live ?? { spans: kept, open: [] }
      return { turnId: id, spans: inspector.whole(id, spans), open }
    },
    listRequests: async ({ person }) => ({ requests: await conversations.requests.to(person) }),
    async answerRequest({ person, params: { id = '' }, body }) {
      await conversations.requests.answer(person, id, body)
      return { requestId: id, decision: body }
    },
  }
}
