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
  /** Nobody finds it any more, and its log is about to go. */
  readonly deleting?: boolean
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
    const card = await this.#kept(id)
    if (card) return card.deleting ? undefined : card
    const row = await this.#store?.conversation(id)
    return row && { owner: row.owner ?? nobody, createdAt: row.createdAt }
  }
  async #kept(id: string): Promise<Card | undefined> {
    return this.#store ? ((await this.#store.get(cardSpace, id)) as Card | undefined) : this.#cards.get(id)
  }
  /** Whether it was made by a server. */
  async made(id: string): Promise<boolean> {
    const card = await this.#kept(id)
    return card !== undefined && !card.deleting
  }
  /** None: it is taken away. */
  async put(id: string, card: Card | undefined): Promise<void> {
    if (this.#store) await this.#store.set(cardSpace, id, card)
    else if (card) this.#cards.set(id, card)
    else this.#cards.delete(id)
  }
  async entitle({ id, owner, createdAt }: { readonly id: string } & Card, said: string): Promise<void> {
    const card = await this.#kept(id)
    if (card?.deleting || card?.said !== undefined) return
    await this.put(id, { owner, createdAt, ...card, said: firstWords(said) })
  }

  /** Takes a conversation off the shelf while `erase` deletes its log. Where that fails it is there again. */
  async remove(id: string, erase: (card: Card) => Promise<void>): Promise<void> {
    const before = await this.#kept(id)
    const card = before ?? (await this.card(id)) ?? { owner: nobody, createdAt: Date.now() }
    await this.put(id, { ...card, deleting: true })
    try {
      await erase(card)
    } catch (error) {
      await this.put(id, before)
      throw error
    }
    // Another may have been made under its id meanwhile.
    if ((await this.#kept(id))?.deleting) await this.put(id, undefined)
  }
  /** Those whose deletion a process has not finished. */
  async deleting(): Promise<readonly string[]> {
    const cards = ((await this.#store?.entries(cardSpace)) ?? []) as readonly [string, Card][]
    return cards.flatMap(([id, card]) => (card.deleting ? [id] : []))
  }

  async all(): Promise<ReturnType<typeof entry>[]> {
    if (!this.#store) return [...this.#cards].flatMap(([id, card]) => (card.deleting ? [] : entry(id, card, undefined)))
    const rows = new Map((await this.#store.list({ limit: 100_000 })).map(row => [row.id, row]))
    const cards = new Map((await this.#store.entries(cardSpace)) as readonly [string, Card][])
    const found = [...cards].flatMap(([id, card]) => (card.deleting ? [] : entry(id, card, rows.get(id))))
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
  return { id, owner: card.owner, seq: row?.seq ?? 0, begunAt: row?.createdAt, summary }
}
