import { createHash } from 'node:crypto'
import { textOf } from 'turnbuckle'
import type { ConversationSummary } from 'turnbuckle/client'
import type { ConversationRow, ConversationStore } from 'turnbuckle/stores'
import { firstWords } from './first-words.ts'

/** What is known of a conversation before it is opened. */
export interface Card {
  readonly owner: string
  readonly createdAt: number
  /** What it was made with; renamed, the log knows. */
  readonly title?: string
  /** What was said first: its title, until somebody gives it one. */
  readonly said?: string
}

/** The person of a conversation that was not made here: the one person there is. */
export const nobody = 'me'
export const cardSpace = 'server.conversations'

/** The id of the conversation that a person's key makes. */
export const keyedId = (owner: string, key: string): string =>
  `conv_${createHash('sha256')
    .update(JSON.stringify([owner, key]))
    .digest('hex')
    .slice(0, 32)}`

/** The index cards of all conversations: in the store, or, without one, in memory. */
export class Shelf {
  readonly #store: ConversationStore | undefined
  readonly #cards = new Map<string, Card>()
  /** First words of conversations that were made elsewhere. */
  readonly #said = new Map<string, string>()

  constructor(store: ConversationStore | undefined) {
    this.#store = store
  }

  async card(id: string): Promise<Card | undefined> {
    if (!this.#store) return this.#cards.get(id)
    const card = (await this.#store.get(cardSpace, id)) as Card | undefined
    if (card) return card
    const row = await this.#store.conversation(id)
    return row && { owner: row.owner ?? nobody, createdAt: row.createdAt }
  }
  /** Whether it was made by a server. */
  async made(id: string): Promise<boolean> {
    return this.#cards.has(id) || Boolean(await this.#store?.get(cardSpace, id))
  }
  async put(id: string, card: Card): Promise<void> {
    if (this.#store) await this.#store.set(cardSpace, id, card)
    else this.#cards.set(id, card)
  }
  async entitle(id: string, said: string): Promise<void> {
    const card = await this.card(id)
    if (card && card.said === undefined) await this.put(id, { ...card, said: firstWords(said) })
  }
  async remove(id: string): Promise<void> {
    this.#cards.delete(id)
    await this.#store?.set(cardSpace, id, undefined)
  }

  async all(): Promise<ReturnType<typeof entry>[]> {
    if (!this.#store) return Array.from(this.#cards, ([id, card]) => entry(id, card, undefined))
    const rows = new Map((await this.#store.list({ limit: 100_000 })).map(row => [row.id, row]))
    const cards = new Map((await this.#store.entries(cardSpace)) as readonly [string, Card][])
    const found = Array.from(cards, ([id, card]) => entry(id, card, rows.get(id)))
    for (const row of rows.values()) if (!cards.has(row.id) && !isOfTurn(row.id)) found.push(await this.#foreign(row))
    return found
  }
  async #foreign(row: ConversationRow): Promise<ReturnType<typeof entry>> {
    const said = this.#said.get(row.id) ?? firstWords(textOf((await this.#store?.nodes(row.id))?.[0]?.message))
    this.#said.set(row.id, said)
    return entry(row.id, { owner: row.owner ?? nobody, createdAt: row.createdAt, said }, row)
  }
}

/** A sub-agent's conversation is named after the call it works for, and shown there. */
const isOfTurn = (id: string): boolean => /^turn_[\w-]+\./.test(id)

function entry(id: string, card: Card, row: ConversationRow | undefined) {
  const usage = row?.usage ?? { inputTokens: 0, outputTokens: 0 }
  const summary: ConversationSummary = {
    id,
    title: row?.title ?? card.said ?? '',
    head: row?.head ?? null,
    createdAt: card.createdAt,
    updatedAt: row?.updatedAt ?? card.createdAt,
    usage,
    ...(usage.cost === undefined ? {} : { cost: usage.cost }),
    running: false,
    waiting: 0,
  }
  return { id, owner: card.owner, seq: row?.seq ?? 0, summary }
}
