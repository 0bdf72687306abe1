import type { ConversationStore } from 'turnbuckle/stores'
import { storedAccess } from '../access/shares.ts'
import { ConversationIndex } from '../conversations/stored/conversation-index.ts'
import { type Schedule, StoredSchedules, timeFrom } from '../conversations/stored/stored-schedules.ts'
import { dueTurn } from '../conversations/turns/due-turn.ts'
import type { ScheduledOrder, TurnOrder } from '../conversations/turns/turn-runner.ts'
import { userMessage } from '../conversations/turns/user-message.ts'
import { settingsNow } from '../settings/recorded-settings.ts'

/** The turns of schedules, for a worker: orders have their times alone. */
export class ScheduledTurns {
  readonly #store: ConversationStore
  readonly #index: ConversationIndex
  readonly #schedules: StoredSchedules

  constructor(store: ConversationStore) {
    this.#store = store
    this.#index = new ConversationIndex(store)
    this.#schedules = new StoredSchedules(store)
  }

  /** The order with the turn's beginning. That of a schedule which was cancelled has none. */
  async withStart(order: TurnOrder): Promise<TurnOrder> {
    const { conversationId } = order
    const schedule = await this.#of(order)
    if (!schedule) return order
    const { id, text, by } = schedule
    const settings = await settingsNow(this.#store, conversationId)
    const client = { id: by, name: by }
    return { ...order, start: { message: userMessage({ text }), tag: { schedule: id }, client, settings } }
  }
  /** The turn has begun: its message may be the conversation's title, and a schedule of one turn is over. */
  async noteBegun({ conversationId, due }: TurnOrder): Promise<void> {
    const schedule = due && (await this.#schedules.find(conversationId, due.schedule))
    const entry = await this.#index.find(conversationId)
    if (schedule && entry) await this.#index.addTitle({ ...entry, id: conversationId }, schedule.text)
    if (schedule && schedule.every === undefined) await this.#schedules.remove(conversationId, schedule.id)
  }
  /** The order behind this one, if its schedule has a time after it. */
  async next(order: ScheduledOrder): Promise<ScheduledOrder | undefined> {
    const { conversationId, due } = order
    const schedule = await this.#of(order)
    if (schedule?.every === undefined) return undefined
    const at = timeFrom(schedule, Math.max(Date.now(), due.at) + 1)
    return at === undefined ? undefined : dueTurn(conversationId, { ...schedule, at })
  }
  /** The schedule of an order. One of a person who may not talk there any more is over. */
  async #of(order: TurnOrder): Promise<Schedule | undefined> {
    const { conversationId, turnId, due } = order
    const schedule = due && (await this.#schedules.find(conversationId, due.schedule))
    // The order may be that of a cancelled one, which was made again under its key.
    if (!schedule || dueTurn(conversationId, { ...schedule, at: due.at }).turnId !== turnId) return undefined
    if (await this.#mayTalk(schedule.by, conversationId)) return schedule
    await this.#schedules.remove(conversationId, schedule.id)
    return undefined
  }
  /** As a server says it: who talks in a conversation also talks in those of its sub-agents. */
  async #mayTalk(person: string, id: string): Promise<boolean> {
    const entry = await this.#index.find(id)
    const places = entry ? [{ id, owner: entry.owner }, ...(entry.root ? [entry.root] : [])] : []
    const talks = places.map(
      async place => place.owner === person || (await storedAccess(this.#store, place.id, person)) === 'talk',
    )
    return (await Promise.all(talks)).includes(true)
  }
}
