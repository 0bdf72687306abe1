import type { Agent } from 'turnbuckle'
import type { StoredPermission, WireMiddleware } from 'turnbuckle/client'
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

function conversationHandlers({ library }: Desk): Pick<Handlers, ConversationCalls> {
  return {
    createConversation({ person, body, key }) {
      const { id, head } = library.once(key && `${person} new ${key}`, body, () =>
        library.create(person, body).summary(),
      )
      return { id, head }
    },
    listConversations: ({ person, query: { limit, before } }) => ({
      conversations: library.list(person, limit, before),
    }),
    getConversation: ({ person, params }) => library.open(person, params.id ?? '').view(),
    changeConversation({ person, params, body }) {
      const room = library.open(person, params.id ?? '')
      room.change(body)
      return room.summary()
    },
    deleteConversation: ({ person, params }) => library.delete(person, params.id ?? ''),
    exportConversation({ person, params }) {
      const { id, title, head, nodes } = library.open(person, params.id ?? '').view()
      return { id, title, head, nodes }
    },
    hideMessage: ({ person, params }) => library.open(person, params.id ?? '').hide(params.messageId ?? ''),
    search: ({ person, query }) => ({ results: library.search(person, query.q) }),
  }
}

type TurnCalls = 'startTurn' | 'interruptTurn' | 'interject' | 'explainTurn' | 'traceTurn' | 'answerRequest'

function turnHandlers({ library, inspector }: Desk): Pick<Handlers, TurnCalls> {
  return {
    startTurn({ person, params, body, key }) {
      const room = library.open(person, params.id ?? '')
      return library.once(key && `${person} ${room.id} ${key}`, body, () => room.start(body as never))
    },
    interruptTurn({ person, params: { id = '' }, body }) {
      library.roomOfTurn(person, id).runningTurn(id).interrupt(body?.reason)
      return { turnId: id }
    },
    interject({ person, params: { id = '' }, body }) {
      library.roomOfTurn(person, id).runningTurn(id).interject(body.text)
      return { turnId: id }
    },
    explainTurn({ person, params: { id = '' } }) {
      const turn = library.roomOfTurn(person, id).turn(id)
      if (!turn) throw missing('turn', id)
      return { turnId: id, decisions: turn.explain() }
    },
    traceTurn({ person, params: { id = '' } }) {
      library.roomOfTurn(person, id)
      return { turnId: id, spans: inspector.spans(id) }
    },
    answerRequest({ person, params: { id = '' }, body }) {
      library.roomOfRequest(person, id).answer(id, body)
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
