import { type Agent, TurnbuckleError } from 'turnbuckle'
import type { NewTurn, StoredPermission, WireMiddleware } from 'turnbuckle/client'
import type { Handlers } from './contract.ts'
import { missing } from './failure.ts'
import type { Inspector } from './inspector.ts'
import type { Library } from './library.ts'

/** Where a person's standing choices are kept. */
export interface Permissions {
  list(person: string): readonly StoredPermission[] | Promise<readonly StoredPermission[]>
  /** False when there is none of that id. */
  revoke(person: string, id: string): boolean | Promise<boolean>
}

interface Desk {
  readonly agent: Agent
  readonly library: Library
  readonly inspector: Inspector
  readonly permissions: Permissions | undefined
}

/** What each call does. HTTP and WebSocket both come here. */
export function createHandlers(desk: Desk): Handlers {
  return { ...conversationHandlers(desk), ...turnHandlers(desk), ...agentHandlers(desk) }
}

type ConversationCalls =
  | 'createConversation'
  | 'listConversations'
  | 'getConversation'
  | 'changeConversation'
  | 'deleteConversation'
  | 'exportConversation'
  | 'hideMessage'
  | 'search'

function conversationHandlers({ library, permissions }: Desk): Pick<Handlers, ConversationCalls> {
  return {
    async createConversation({ person, body: { title }, key }) {
      const { id, head } = await library.create(person, { title, key })
      return { id, head }
    },
    listConversations: async ({ person, query: { limit, before } }) => ({
      conversations: await library.list(person, limit, before),
    }),
    getConversation: async ({ person, params }) => (await library.open(person, params.id ?? '')).view(),
    async changeConversation({ person, params, body }) {
      const room = await library.open(person, params.id ?? '')
      await room.change(body)
      return room.summary()
    },
    async deleteConversation({ person, params: { id = '' } }) {
      await library.delete(person, id)
      // What was allowed for this conversation is of no use to anyone.
      for (const grant of (await permissions?.list(person)) ?? [])
        if (grant.scope === 'conversation' && grant.conversationId === id) await permissions?.revoke(person, grant.id)
    },
    async exportConversation({ person, params }) {
      const { id, title, head, nodes } = (await library.open(person, params.id ?? '')).view()
      return { id, title, head, nodes }
    },
    hideMessage: async ({ person, params }) =>
      (await library.open(person, params.id ?? '')).hide(params.messageId ?? ''),
    search: async ({ person, query }) => ({ results: await library.search(person, query.q) }),
  }
}

type TurnCalls = 'startTurn' | 'interruptTurn' | 'interject' | 'explainTurn' | 'traceTurn' | 'answerRequest'

function turnHandlers({ library, inspector }: Desk): Pick<Handlers, TurnCalls> {
  return {
    startTurn: ({ person, params, body, key }) => library.start(person, params.id ?? '', body as NewTurn, key),
    async interruptTurn({ person, params: { id = '' }, body }) {
      await library.withTurn(person, id, turn => turn.interrupt(body?.reason))
      return { turnId: id }
    },
    async interject({ person, params: { id = '' }, body }) {
      await library.withTurn(person, id, turn => turn.interject(body.text))
      return { turnId: id }
    },
    explainTurn: async ({ person, params: { id = '' } }) => ({
      turnId: id,
      decisions: await library.decisions(person, id),
    }),
    async traceTurn({ person, params: { id = '' } }) {
      const live = inspector.trace(id)
      const kept = await library.spans(person, id)
      return { turnId: id, ...(live ?? { spans: kept, open: [] }) }
    },
    async answerRequest({ person, params: { id = '' }, body }) {
      await library.answer(person, id, body)
      return { requestId: id, decision: body }
    },
  }
}

type AgentCalls = 'listMiddleware' | 'switchMiddleware' | 'listPermissions' | 'revokePermission'

function agentHandlers({ agent, inspector, permissions }: Desk): Pick<Handlers, AgentCalls> {
  const list = (): WireMiddleware[] =>
    agent.middleware
      .filter(({ name }) => name !== inspector.middleware.name)
      .map(info => ({ ...info, hooks: inspector.figures(info.name) }))
  return {
    listMiddleware: () => ({ middleware: list() }),
    switchMiddleware({ params: { name = '' }, body }) {
      // Ours is no middleware of the agent's: nobody switches what they are not shown.
      if (!list().some(info => info.name === name)) throw unknownMiddleware(name)
      if (body.enabled) agent.enable(name)
      else agent.disable(name)
      return list().find(info => info.name === name)
    },
    listPermissions: async ({ person }) => ({ permissions: (await permissions?.list(person)) ?? [] }),
    async revokePermission({ person, params: { id = '' } }) {
      if (!(await permissions?.revoke(person, id))) throw missing('permission', id)
    },
  }
}

const unknownMiddleware = (name: string): TurnbuckleError =>
  new TurnbuckleError('middleware.unknown', `There is no middleware "${name}".`)
