import { TurnbuckleError } from '../../core/base/errors.ts'
import { andThen, type Maybe, type NodeRow, type Readings } from '../stores/driver.ts'

/**
 * Reads messages of a store that may be damaged. A marker stands in the place of a message that is missing although
 * another follows it, or although the head is there. No turn goes on with such a history.
 */
export class GapReader {
  readonly #driver: Readings
  readonly #onGap: (message: string) => void
  /** Conversations with a message missing. */
  readonly #damaged = new Map<string, TurnbuckleError>()

  constructor(driver: Readings, onGap: (message: string) => void) {
    this.#driver = driver
    this.#onGap = onGap
  }

  /** The error for turns on a conversation with a gap, as far as its messages were read. */
  damage(conversation: string): TurnbuckleError | undefined {
    return this.#damaged.get(conversation)
  }

  /** The conversation was deleted: its id means a new one from now on. */
  forget(conversation: string): void {
    this.#damaged.delete(conversation)
  }

  path(conversation: string, tip: string, limit?: number, from: Readings = this.#driver): Maybe<readonly NodeRow[]> {
    return andThen(from.path(conversation, tip, limit), rows => {
      const [first] = rows
      if (!first)
        return andThen(lostHead(conversation, from), lost => (lost === tip ? [this.#gap(conversation, tip)] : rows))
      if (first.parent === undefined || rows.length === limit) return rows
      return [this.#gap(conversation, first.parent, first), ...rows]
    })
  }

  nodes(conversation: string, from: Readings = this.#driver): Maybe<readonly NodeRow[]> {
    return andThen(from.nodes(conversation), rows => {
      const known = new Set(rows.map(({ id }) => id))
      const shown = rows.flatMap(node => {
        if (node.parent === undefined || known.has(node.parent)) return [node]
        known.add(node.parent)
        return [this.#gap(conversation, node.parent, node), node]
      })
      return andThen(lostHead(conversation, from, known), lost =>
        lost === undefined ? shown : [...shown, this.#gap(conversation, lost)],
      )
    })
  }

  #gap(conversation: string, id: string, before?: NodeRow): NodeRow {
    if (!this.#damaged.has(conversation)) {
      const message = `The store is damaged: in the conversation "${conversation}" the message "${id}" is missing, and what came before it. It can be read and exported, not gone on with. Restore a copy.`
      this.#damaged.set(conversation, new TurnbuckleError('store.damaged', message, { kind: 'store' }))
      this.#onGap(message)
    }
    const text = '[Messages are missing here: the store is damaged.]'
    return {
      id,
      parent: undefined,
      depth: before ? before.depth - 1 : 1,
      turn: undefined,
      at: before?.at ?? 0,
      message: { id, role: 'system', content: [{ type: 'text', text }], by: 'store' },
      usage: undefined,
      state: undefined,
      hidden: false,
    }
  }
}

/** The head, if its message is missing, and not only because another process moves on or deletes the conversation. `read`: messages that are there. */
const lostHead = (
  conversation: string,
  from: Readings,
  read: ReadonlySet<string> = new Set(),
): Maybe<string | undefined> =>
  andThen(from.conversation(conversation), row => {
    const head = row?.head
    if (head === undefined || read.has(head)) return undefined
    return andThen(from.path(conversation, head, 1), rows => {
      if (rows.length) return undefined
      return andThen(from.conversation(conversation), again => (again ? head : undefined))
    })
  })
