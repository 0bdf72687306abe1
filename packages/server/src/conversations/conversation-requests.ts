import { TurnbuckleError } from 'turnbuckle'
import type { AskedRequest } from 'turnbuckle/client'
import type { AuditList } from '../access/audit-list.ts'
import { auditedAnswer, isLasting } from '../access/audited-answer.ts'
import type { ConversationAccess } from '../access/conversation-access.ts'
import { demandRight } from '../access/rights.ts'
import type { RoleOf } from '../access/roles.ts'
import { isHearsay } from './open/is-hearsay.ts'
import type { OpenConversation } from './open/open-conversation.ts'
import type { OpenConversations } from './open/open-conversations.ts'

/** Milliseconds between two tries of an answer that was refused although the log has its request open, and how many there are. */
const tryEvery = 250
const mostTries = 40

export interface ConversationRequestsOptions {
  readonly open: OpenConversations
  readonly access: ConversationAccess
  readonly roleOf: RoleOf
  readonly audit: AuditList
}

/** The requests of all conversations: whom they are put to, and who answers them. */
export class ConversationRequests {
  readonly #open: OpenConversations
  readonly #access: ConversationAccess
  readonly #roleOf: RoleOf
  readonly #audit: AuditList

  constructor({ open, access, roleOf, audit }: ConversationRequestsOptions) {
    this.#open = open
    this.#access = access
    this.#roleOf = roleOf
    this.#audit = audit
  }

  /** The conversation of a request that the person may answer. Request ids cannot be guessed: a stranger who knows one is told that it is foreign. */
  async conversationOf(person: string, requestId: string): Promise<OpenConversation> {
    const conversation = await this.#open.findRequest(requestId)
    if (!conversation) throw new TurnbuckleError('request.unknown', `There is no request "${requestId.slice(0, 300)}".`)
    if (!conversation.requests.mayAnswer(requestId, person, this.#access.talks(person, conversation)))
      throw new TurnbuckleError('request.foreign', 'That question was not put to you.')
    return conversation
  }
  /** The open questions that other people's conversations put to this person by name. */
  async to(person: string): Promise<readonly AskedRequest[]> {
    const others = (await this.#open.withRequests()).filter(({ owner }) => owner !== person)
    return others.flatMap(conversation =>
      conversation.requests
        .to(person)
        .map(request => ({ ...request, conversationId: conversation.id, owner: conversation.owner })),
    )
  }

  /** Answers a request, as the person of the token. A turn whose process is gone goes on here. */
  async answer(person: string, requestId: string, answer: unknown): Promise<void> {
    demandRight(this.#roleOf, person, 'answer')
    const conversation = await this.conversationOf(person, requestId)
    const request = conversation.requests.open(requestId)
    // A request that is not open is refused below; until then it may be any permission.
    if (isLasting(request?.kind ?? 'permission', answer)) demandRight(this.#roleOf, person, 'grantLasting')
    await this.#take(conversation, person, requestId, answer)
    this.#open.takeOverAnswered(conversation)
    if (request) await this.#audit.add(auditedAnswer(request, answer, { by: person, conversationId: conversation.id }))
  }
  /** Another process may have answered the request first: the log says so. Where the log has it open, a refusal is not the last word. */
  async #take(asked: OpenConversation, person: string, requestId: string, answer: unknown): Promise<void> {
    for (let tries = 1, conversation = asked; ; tries++) {
      try {
        const talks = this.#access.talks(person, conversation)
        return await conversation.answer(requestId, answer, { by: person, talks })
      } catch (error) {
        const current = await this.#open.current(conversation).catch(() => undefined)
        current?.requests.checkOpen(requestId)
        if (!current?.requests.open(requestId) || !isHearsay(error)) throw error
        if (tries === mostTries) throw new TurnbuckleError('store.failed', 'The log was not written in time.')
        conversation = current
      }
      await new Promise(resolve => setTimeout(resolve, tryEvery))
    }
  }
}
