import type { WireSchedule } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import { lastRevocation } from '../../access/revocations.ts'

/** A schedule as the store has it: `at` is the time of its first turn. */
export interface Schedule extends WireSchedule {
  /** Tells it from one that was made under the same id before it, and was cancelled: an engine does not run a turn of the same id again. */
  readonly making: string
}

interface KeptSchedule extends Schedule {
  /** The last revocation of who made it, at that time. After another one the schedule is over. */
  readonly revocation?: string
  /**
   * When the token of who made it expires: from then on the schedule is over. It is not the store's own expiry, since what has expired there
   * is in no list of entries, and would stay when the conversation is deleted.
   */
  readonly until?: number
}

/** Each conversation has a space of its own: a list reads no schedule of others. */
const spaceOf = (conversationId: string): string => `server.schedules.${conversationId}`

/** The schedules of conversations. An engine has their times alone, so what is not here any more sends nothing. */
export class StoredSchedules {
  readonly #store: ConversationStore

  constructor(store: ConversationStore) {
    this.#store = store
  }

  /** One of a person who was revoked since, or whose token has expired, is not there. */
  async find(conversationId: string, id: string): Promise<Schedule | undefined> {
    const kept = (await this.#store.get(spaceOf(conversationId), id)) as KeptSchedule | undefined
    return kept && this.#unlessOver(kept)
  }
  async list(conversationId: string): Promise<readonly Schedule[]> {
    const kept = (await this.#store.entries(spaceOf(conversationId))).map(([, one]) => one as KeptSchedule)
    return (await Promise.all(kept.map(one => this.#unlessOver(one)))).filter(one => one !== undefined)
  }
  async #unlessOver({ revocation, until = Infinity, ...schedule }: KeptSchedule): Promise<Schedule | undefined> {
    if (Date.now() >= until) return undefined
    return (await lastRevocation(this.#store, schedule.by)) === revocation ? schedule : undefined
  }
  async put(conversationId: string, schedule: Schedule, until?: number): Promise<void> {
    const revocation = await lastRevocation(this.#store, schedule.by)
    const kept: KeptSchedule = {
      ...schedule,
      ...(revocation === undefined ? {} : { revocation }),
      ...(until === undefined ? {} : { until }),
    }
    await this.#store.set(spaceOf(conversationId), schedule.id, kept)
  }
  async remove(conversationId: string, id: string): Promise<void> {
    await this.#store.set(spaceOf(conversationId), id, undefined)
  }
  /** Forgets the schedules of a conversation that is deleted. */
  async forget(conversationId: string): Promise<void> {
    for (const [id] of await this.#store.entries(spaceOf(conversationId))) await this.remove(conversationId, id)
  }
}

/** The first time of a schedule that is not over, where it has one. Times at which nobody could send are left out. */
export function timeFrom({ at, every }: Pick<Schedule, 'at' | 'every'>, now: number): number | undefined {
  if (at >= now) return at
  return every === undefined ? undefined : at + every * Math.ceil((now - at) / every)
}
