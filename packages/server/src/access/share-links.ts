import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { WireShareLink } from 'turnbuckle/client'
import { type ConversationStore, memoryStore } from 'turnbuckle/stores'

const space = 'server.shareLinks'

interface ShareLink extends WireShareLink {
  readonly conversationId: string
  /** SHA-256 of the link's token, in hexadecimal. */
  readonly tokenHash: string
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The read-only links to conversations. Each has a token of its own, of which only the hash is kept; it is nobody's token, and opens
 * nothing but that link. The store is asked each time, so that a link that another server has revoked counts no more.
 */
export class ShareLinks {
  readonly #store: ConversationStore

  constructor(store: ConversationStore | undefined) {
    this.#store = store ?? memoryStore()
  }

  /** Makes a link of the branch that ends with a message, or of the tree. The token cannot be shown again. */
  async make(
    conversationId: string,
    by: string,
    messageId: string | undefined,
  ): Promise<{ id: string; token: string }> {
    const id = `share_${randomBytes(9).toString('base64url')}`
    const token = randomBytes(24).toString('base64url')
    const what = messageId === undefined ? { what: 'tree' as const } : { what: 'branch' as const, messageId }
    const tokenHash = digest(token).toString('hex')
    const link: ShareLink = { id, conversationId, by, createdAt: Date.now(), ...what, tokenHash }
    await this.#store.set(space, id, link)
    return { id, token }
  }
  /** The link that a token opens. */
  async find(id: string, token: string): Promise<Omit<ShareLink, 'tokenHash'> | undefined> {
    const link = (await this.#store.get(space, id)) as ShareLink | undefined
    return link && timingSafeEqual(Buffer.from(link.tokenHash, 'hex'), digest(token)) ? link : undefined
  }
  /** The links of a conversation, newest first. */
  async list(conversationId: string): Promise<readonly WireShareLink[]> {
    const links = (await this.#of(conversationId)).map(({ conversationId: _, tokenHash: _hash, ...link }) => link)
    return links.sort((a, b) => b.createdAt - a.createdAt)
  }
  /** False where the conversation has no such link. */
  async revoke(conversationId: string, id: string): Promise<boolean> {
    if (!(await this.#of(conversationId)).some(link => link.id === id)) return false
    await this.#store.set(space, id, undefined)
    return true
  }
  /** Forgets the links of a conversation that is deleted. */
  async forget(conversationId: string): Promise<void> {
    for (const { id } of await this.#of(conversationId)) await this.#store.set(space, id, undefined)
  }
  async #of(conversationId: string): Promise<ShareLink[]> {
    const links = (await this.#store.entries(space)).map(([, link]) => link as ShareLink)
    return links.filter(link => link.conversationId === conversationId)
  }
}
