import { createHash } from 'node:crypto'
import { TurnbuckleError } from 'turnbuckle'
import type { NewSchedule, WireSchedule } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import type { AuditList } from '../../access/audit-list.ts'
import { InTurn } from '../../base/in-turn.ts'
import { notFound } from '../../base/not-found.ts'
import { type Schedule, StoredSchedules, timeFrom } from '../stored/stored-schedules.ts'
import { dueTurn } from './due-turn.ts'
import { keyMismatch } from './idempotent-starts.ts'
import type { TurnRunner } from './turn-runner.ts'

/** Schedules that a conversation has at most. */
const mostSchedules = 100

interface ConversationSchedulesOptions {
  readonly store: ConversationStore | undefined
  readonly runner: TurnRunner | undefined
  readonly audit: AuditList
}

/** Turns that begin at a time, by the timers of an engine: no server has to be there then. */
export class ConversationSchedules {
  readonly #store: ConversationStore | undefined
  readonly #runner: TurnRunner | undefined
  readonly #schedules: StoredSchedules | undefined
  readonly #audit: AuditList
  /** Calls with an idempotency key that are under way, by the id of their schedule. */
  readonly #keyed = new Map<string, InTurn>()

  constructor({ store, runner, audit }: ConversationSchedulesOptions) {
    this.#audit = audit
    this.#store = store
    this.#runner = runner
    this.#schedules = store && new StoredSchedules(store)
  }

  /** Resolves when the engine has its time, and will not lose it. The same `key` is the same schedule. It is over at `until`. */
  async add(
    conversationId: string,
    asked: NewSchedule & { readonly by: string },
    { key, until }: { readonly key?: string | undefined; readonly until?: number | undefined } = {},
  ): Promise<WireSchedule> {
    if (key === undefined) return this.#add(conversationId, { ...asked, id: `schedule_${crypto.randomUUID()}` }, until)
    const id = `schedule_${idOf(conversationId, asked.by, key)}`
    const inTurn = this.#keyed.get(id) ?? new InTurn()
    this.#keyed.set(id, inTurn)
    // Calls with one key come one after the other: one that fails does not take back what another was told of.
    const added = inTurn.run(() => this.#add(conversationId, { ...asked, id }, until))
    return added.finally(() => inTurn.isIdle && this.#keyed.delete(id))
  }
  async #add(conversationId: string, asked: WireSchedule, until: number | undefined): Promise<WireSchedule> {
    const [runner, schedules] = [this.#runner, this.#schedules]
    if (!runner?.startAt || !schedules) throw unsupported()
    const { id, by } = asked
    const known = await schedules.find(conversationId, id)
    if (known && !isSame(known, asked)) throw keyMismatch()
    const schedule: Schedule = known ?? { ...asked, making: crypto.randomUUID().slice(0, 8) }
    if (!known) {
      if ((await this.list(conversationId)).length >= mostSchedules) throw tooMany()
      await schedules.put(conversationId, schedule, until)
    }
    try {
      await runner.startAt(dueTurn(conversationId, schedule))
    } catch (error) {
      // Nobody was told of it; one that another call with the key was told of stays.
      if (!known) await schedules.remove(conversationId, id).catch(() => {})
      throw error
    }
    if (!known) await this.#audit.add({ by, act: 'scheduled', what: id, conversationId })
    return wireSchedule(schedule)
  }
  /** Those that have a turn to come, the next first. */
  async list(conversationId: string): Promise<readonly WireSchedule[]> {
    const now = Date.now()
    const stored = (await this.#schedules?.list(conversationId)) ?? []
    const coming = await Promise.all(
      stored.map(async schedule => {
        const at = timeFrom(schedule, now)
        if (at !== undefined) return [wireSchedule({ ...schedule, at })]
        return (await this.#hasBegun(conversationId, schedule)) ? [] : [wireSchedule(schedule)]
      }),
    )
    return coming.flat().sort((a, b) => a.at - b.at)
  }
  /** A worker that was lost right then has not taken it off the list. */
  async #hasBegun(conversation: string, schedule: Schedule): Promise<boolean> {
    const { turnId: id } = dueTurn(conversation, schedule)
    return ((await this.#store?.turns({ conversation, id })) ?? []).length > 0
  }

  async cancel(conversationId: string, id: string, by: string): Promise<void> {
    if (!(await this.list(conversationId)).some(schedule => schedule.id === id)) throw notFound('schedule', id)
    await this.#drop(conversationId, id)
    await this.#audit.add({ by, act: 'unscheduled', what: id, conversationId })
  }
  /** Cancels those of a deleted conversation, or of a person who may not talk there any more. */
  async cancelAll(conversationId: string, by?: string): Promise<void> {
    for (const { id, by: author } of (await this.#schedules?.list(conversationId)) ?? [])
      if (by === undefined || author === by) await this.#drop(conversationId, id)
    // Those of people who were revoked, or whose tokens have expired, are in no list.
    if (by === undefined) await this.#schedules?.forget(conversationId)
  }
  /** The engine is told so that it waits no longer. It may not hear it: what is not in the store sends nothing when its time comes. */
  async #drop(conversationId: string, id: string): Promise<void> {
    const schedule = await this.#schedules?.find(conversationId, id)
    await this.#schedules?.remove(conversationId, id)
    const at = schedule && timeFrom(schedule, Date.now())
    if (schedule && at !== undefined)
      await this.#runner?.wake(dueTurn(conversationId, { ...schedule, at }), [id]).catch(() => {})
  }
}

const idOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

const wireSchedule = ({ making: _, ...schedule }: Schedule): WireSchedule => schedule

const isSame = (one: NewSchedule, other: NewSchedule): boolean =>
  one.text === other.text && one.at === other.at && one.every === other.every

const tooMany = (): TurnbuckleError =>
  new TurnbuckleError(
    'schedule.tooMany',
    `A conversation has at most ${mostSchedules} schedules. Cancel one, or use another conversation.`,
  )

const unsupported = (): TurnbuckleError =>
  new TurnbuckleError(
    'schedule.unsupported',
    'This server has no engine whose timers could begin a turn. Run it with one (docs/cluster.md), or have a cron job send the message.',
  )
