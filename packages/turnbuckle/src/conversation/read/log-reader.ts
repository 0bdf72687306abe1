import type { TurnbuckleError } from '../../core/base/errors.ts'
import type { LogContents, LogNode, LogNodes, LogRecord } from '../../core/durable/log-port.ts'
import type { UnfinishedTurn } from '../../core/types/unfinished-turn.ts'
import type { ConversationRow, Driver, Maybe, Readings, TurnRow } from '../stores/driver.ts'
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
  /** The driver answers later: messages are better read before somebody looks at them, or have to be. */
  #later = false
  /** Every message was read once: messages that another process adds are read as a whole too. */
  #whole = false

  constructor(driver: Driver, tree: GapReader, id: string) {
    this.#driver = driver
    this.#tree = tree
    this.#id = id
  }

  /** Readings for a caller that cannot wait, as far as the store has them. */
  get atOnce(): Readings {
    return this.#driver.atOnce ?? this.#driver
  }
  get later(): Readings {
    return this.#driver
  }

  /** The conversation's row; undefined where the store has none. */
  row(from: Readings = this.#driver): Maybe<ConversationRow | undefined> {
    const reading = from.conversation(this.#id)
    this.#later = reading instanceof Promise || from !== this.#driver
    return andThen(reading, row => {
      if (!row) this.#whole = true
      return row
    })
  }

  /** `unwritten`: messages that the log may have by now. */
  contents(row: ConversationRow, unwritten: readonly string[], from: Readings): Maybe<LogContents> {
    const { seq, caller, title, head } = row
    return andThen(from.states(this.#id), states =>
      andThen(this.#readTree(row, from), page =>
        andThen(this.#readKnown(unwritten, from), had =>
          andThen(from.turns({ conversation: this.#id, status: 'open' }), turns =>
            andThen(this.#treeFor(turns, page), tree =>
              andThen(this.#readTurns(turns, from), unfinished => ({
                ...{ seq, caller, title, head, states, had, unfinished },
                ...tree,
              })),
            ),
          ),
        ),
      ),
    )
  }

  #readTree({ head, n }: ConversationRow, from: Readings): Maybe<Tree> {
    if (head === undefined) return { nodes: [], damage: this.damage, rest: 'none' }
    if (!this.#later || !(this.#whole || n <= short)) return this.#readPath(head, from)
    return andThen(this.#readWhole(from), read => (isLooped(read.nodes) ? this.#readPath(head, from) : read))
  }
  #readPath(head: string, from: Readings): Maybe<Tree> {
    return andThen(this.#tree.path(this.#id, head, page, from), nodes => ({
      nodes,
      damage: this.damage,
      rest: this.#rest,
    }))
  }
  get #rest(): LogContents['rest'] {
    if (!this.#later) return 'atOnce'
    return this.#driver.atOnce ? 'atOnceOrLater' : 'later'
  }
  #readWhole(from: Readings): Maybe<Tree> {
    return andThen(this.nodes(from), read => ({ ...read, rest: 'none' }))
  }
  /** To go on with a turn takes all messages before it. */
  #treeFor(turns: readonly TurnRow[], read: Tree): Maybe<Tree> {
    return turns.length && read.rest === 'later' ? this.#readWhole(this.#driver) : read
  }

  #readKnown(ids: readonly string[], from: Readings): Maybe<readonly string[]> {
    return inOrder(ids, id => andThen(from.path(this.#id, id, 1), rows => (rows.length ? [id] : [])))
  }
  #readTurns(turns: readonly TurnRow[], from: Readings): Maybe<readonly UnfinishedTurn[]> {
    return inOrder(turns, turn =>
      andThen(from.records(this.#id, { turn: turn.id }), records => [readUnfinishedTurn(turn, records)]),
    )
  }

  nodes(from: Readings = this.#driver): Maybe<LogNodes> {
    return andThen(this.#tree.nodes(this.#id, from), nodes => {
      this.#whole = !isLooped(nodes)
      return { nodes, damage: this.damage }
    })
  }
  /** Undefined also where the driver answers later and every message was read: memory has them. */
  nodesAtOnce(): LogNodes | undefined {
    if (this.#later && this.#whole) return undefined
    const read = this.#answersAtOnce ? this.#tree.nodes(this.#id, this.atOnce) : undefined
    return !read || read instanceof Promise ? undefined : { nodes: read, damage: this.damage }
  }
  pathAtOnce(tip: string): LogNodes | undefined {
    const nodes = this.#answersAtOnce ? this.#tree.path(this.#id, tip, undefined, this.atOnce) : undefined
    return !nodes || nodes instanceof Promise ? undefined : { nodes, damage: this.damage }
  }
  get #answersAtOnce(): boolean {
    return !this.#later || this.#driver.atOnce !== undefined
  }

  /** Why the conversation can be read, but not gone on with. */
  get damage(): TurnbuckleError | undefined {
    return this.#tree.damage(this.#id)
  }
  /** The conversation was deleted. */
  forget(): void {
    this.#tree.forget(this.#id)
  }

  turnStatus(id: string): Maybe<string | undefined> {
    return andThen(this.#driver.turns({ conversation: this.#id, id }), ([turn]) => turn?.status)
  }
  /** The end of one turn; undefined where the log has none of that id, or it has not ended. */
  async endOf(id: string): Promise<LogRecord | undefined> {
    const [turn] = await this.#driver.turns({ conversation: this.#id, id })
    const records = turn ? await this.#driver.records(this.#id, { turn: id }) : []
    return records.findLast(({ type }) => type === `turn.${turn?.status}`)
  }
  /** The end of the last turn. Branches that are worked on beside a turn begin after it, and end before it. */
  async lastEnd(): Promise<LogRecord | undefined> {
    const turns = await this.#driver.turns({ conversation: this.#id })
    let last: LogRecord | undefined
    let begun = Infinity
    for (const { id, status } of turns.toReversed()) {
      const records = await this.#driver.records(this.#id, { turn: id })
      const end = records.findLast(({ type }) => type === `turn.${status}`)
      if (!end) return undefined
      if (last && Number(end.seq) < begun) break
      if (!last || Number(end.seq) > Number(last.seq)) last = end
      begun = Number(records.find(({ seq }) => seq !== undefined)?.seq)
    }
    return last
  }
}

/** True for a damaged tree in which a message lies behind one that lies behind it. */
function isLooped(nodes: readonly LogNode[]): boolean {
  const depths = new Map(nodes.map(({ id, depth }) => [id, depth]))
  return nodes.some(({ parent, depth }) => parent !== undefined && (depths.get(parent) ?? 0) >= depth)
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
