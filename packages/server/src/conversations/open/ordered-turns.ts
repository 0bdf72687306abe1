import { createHash } from 'node:crypto'
import type { KeyTag } from '../turns/idempotent-starts.ts'
import type { TurnRunner, TurnStart } from '../turns/turn-runner.ts'
import { turnRunsThere } from '../turns/turn-runs-there.ts'
import type { FollowedLog } from './followed-log.ts'

/** Milliseconds that a caller waits for the beginning of a turn that the engine has. */
const patience = 10_000
/** Milliseconds before the first look at the log for the beginning of a turn; each waits twice as long as the one before, up to the last. */
const firstLook = 100
const lastLook = 1600

interface OrderedTurnsOptions {
  readonly runner: TurnRunner
  readonly catchUp: () => Promise<void>
}

interface KeyedStart extends TurnStart {
  readonly tag?: KeyTag | undefined
}

/** The turns of one conversation that are given to an engine. */
export class OrderedTurns {
  readonly #conversation: string
  readonly #log: FollowedLog
  readonly #options: OrderedTurnsOptions
  /** Messages that turns are to follow which the engine has and the log does not: two at the same one would be one too many. */
  readonly #parents = new Set<string>()

  constructor(conversation: string, log: FollowedLog, options: OrderedTurnsOptions) {
    this.#conversation = conversation
    this.#log = log
    this.#options = options
  }

  /**
   * Gives a turn to the engine, and waits for its beginning. A turn that the engine has and that does not begin in time, since another
   * one of the conversation runs, begins later: it is not lost. Throws `turn.running` where a turn runs at that message.
   */
  async order(start: KeyedStart): Promise<string> {
    const { head, view } = this.#log
    const parent = start.parentId === undefined ? head.id : start.parentId
    const place = parent ?? ''
    const tips = this.#log.turnsElsewhere.map(({ id }) => view.tip(id) ?? '')
    if (this.#parents.has(place) || tips.includes(place)) throw turnRunsThere()
    this.#parents.add(place)
    try {
      const turnId = this.#idFor(start.tag)
      // The head may have moved when a worker takes it: a turn at the head follows the head of then.
      await this.#options.runner.start({ conversationId: this.#conversation, turnId, start })
      await this.#untilBegun(turnId)
      return turnId
    } finally {
      this.#parents.delete(place)
    }
  }

  async #untilBegun(turnId: string): Promise<void> {
    const { feed, view } = this.#log
    const until = performance.now() + patience
    for (let wait = firstLook; performance.now() < until; wait = Math.min(2 * wait, lastLook)) {
      if (await feed.until(() => view.turn(turnId) !== undefined, wait)) return
      // The engine has the turn: who is refused for a store that fails right now would send it a second time.
      await this.#options.catchUp().catch(() => {})
    }
  }

  /** The same key is the same turn, whichever server it comes to; used again after its day is over, it is another. */
  #idFor(tag: KeyTag | undefined): string {
    if (!tag) return `turn_${crypto.randomUUID()}`
    const before = [...this.#log.view.facts.turnTags.values()].filter(
      ({ tag: one }) => (one as KeyTag)?.key === tag.key,
    )
    const parts = JSON.stringify([this.#conversation, tag.key, tag.body, before.length])
    return `turn_${createHash('sha256').update(parts).digest('hex').slice(0, 32)}`
  }
}
