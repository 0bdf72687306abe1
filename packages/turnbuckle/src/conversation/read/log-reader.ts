import type { TurnbuckleError } from '../../core/base/errors.ts'
import type { LogContents, LogNodes, LogRecord } from '../../core/durable/log-port.ts'
import type { UnfinishedTurn } from '../../core/types/unfinished-turn.ts'
import type { ConversationRow, Driver, Maybe, TurnRow } from '../stores/driver.ts'
import { andThen } from '../stores/driver.ts'
import type { GapReader } from './gap-reader.ts'
import { readUnfinishedTurn } from './read-unfinished-turn.ts'

/** Messages that are read when a conversation is opened; older ones are read when somebody looks at them. */
const page = 64

/** A log with no more records is read as a whole also where the store answers later. */
const short = 256

type Tree = Pick<LogContents, 'nodes' | 'damage' | 'rest'>

/** Reads one conversation's log as plain data, and no more of it than is needed. */
export class LogReader {
  readonly #driver: Driver
  readonly #tree: GapReader
  readonly #id: string
  /** The store does not answer at once: messages have to be read before somebody looks at them. */
  #later = false
  /** Every message was read once: messages that another process adds are read as a whole too. */
  #whole = false

  constructor(driver: Driver, tree: GapReader, id: string) {
    this.#driver = driver
    this.#tree = tree
    this.#id = id
  }

  /** The conversation's row; undefined where the store has none. */
  row(): Maybe<ConversationRow | undefined> {
    const reading = this.#driver.conversation(this.#id)
    this.#later = reading instanceof Promise
    return andThen(reading, row => {
      if (!row) this.#whole = true
      return row
    })
  }

  /** `unwritten`: messages that the log may have by now. */
  contents(row: ConversationRow, unwritten: readonly string[]): Maybe<LogContents> {
    const { seq, title, head } = row
    return andThen(this.#driver.states(this.#id), states =>
      andThen(this.#readTree(row), page =>
        andThen(this.#readKnown(unwritten), had =>
          andThen(this.#driver.turns({ conversation: this.#id, status: 'open' }), turns =>
            andThen(this.#treeFor(turns, page), tree =>
              andThen(this.#readTurns(turns), unfinished => ({ seq, title, head, states, had, unfinished, ...tree })),
            ),
          ),
        ),
      ),
    )
  }

  #readTree({ head, n }: ConversationRow): Maybe<Tree> {
    if (head === undefined) return { nodes: [], damage: this.damage, rest: 'none' }
    if (this.#later && (this.#whole || n <= short)) return this.#readWhole()
    return andThen(this.#tree.path(this.#id, head, page), nodes => ({
      nodes,
      damage: this.damage,
      rest: this.#later ? 'later' : 'atOnce',
    }))
  }
  #readWhole(): Maybe<Tree> {
    return andThen(this.nodes(), read => ({ ...read, rest: 'none' }))
  }
  /** To go on with a turn takes all messages before it. */
  #treeFor(turns: readonly TurnRow[], read: Tree): Maybe<Tree> {
    return turns.length && read.rest === 'later' ? this.#readWhole() : read
  }

  #readKnown(ids: readonly string[]): Maybe<readonly string[]> {
    return inOrder(ids, id => andThen(this.#driver.path(this.#id, id, 1), rows => (rows.length ? [id] : [])))
  }
  #readTurns(turns: readonly TurnRow[]): Maybe<readonly UnfinishedTurn[]> {
    return inOrder(turns, turn =>
      andThen(this.#driver.records(this.#id, { turn: turn.id }), records => [readUnfinishedTurn(turn, records)]),
    )
  }

  nodes(): Maybe<LogNodes> {
    return andThen(this.#tree.nodes(this.#id), nodes => {
      this.#whole = true
      return { nodes, damage: this.damage }
    })
  }
  nodesAtOnce(): LogNodes | undefined {
    const read = this.#later ? undefined : this.nodes()
    return read instanceof Promise ? undefined : read
  }
  pathAtOnce(tip: string): LogNodes | undefined {
    const nodes = this.#later ? undefined : this.#tree.path(this.#id, tip)
    return !nodes || nodes instanceof Promise ? undefined : { nodes, damage: this.damage }
  }

  /** Why the conversation can be read, but not gone on with. */
  get damage(): TurnbuckleError | undefined {
    return this.#tree.damage(this.#id)
  }
  /** The conversation was deleted. */
  forget(): void {
    this.#tree.forget(this.#id)
  }

  lastEnd(): Maybe<LogRecord | undefined> {
    return andThen(this.#driver.turns({ conversation: this.#id }), turns => {
      const last = turns.at(-1)
      if (!last || last.status === 'open') return undefined
      return andThen(this.#driver.records(this.#id, { turn: last.id }), records =>
        records.findLast(({ type }) => type === `turn.${last.status}`),
      )
    })
  }
}

/** Reads one after the other, and waits only where the store answers later. */
const inOrder = <Item, Value>(
  items: readonly Item[],
  read: (item: Item) => Maybe<readonly Value[]>,
): Maybe<readonly Value[]> =>
  items.reduce<Maybe<readonly Value[]>>(
    (before, item) => andThen(before, values => andThen(read(item), more => [...values, ...more])),
    [],
  )
