import { TurnbuckleError } from '../../core/base/errors.ts'
import type { UnfinishedTurn } from '../../core/durable/journal-port.ts'
import type { TurnEnded } from '../../core/events/events.ts'
import { movedElsewhere } from '../../core/events/following.ts'
import type { SharedConversation } from '../../core/events/shared-conversation.ts'
import type { Node, TreeNode } from '../../core/history/tree.ts'
import { abandonTurn } from '../../core/turn/park-turn.ts'
import type { TurnState } from '../../core/turn/turn-state.ts'
import type { ConversationRow, Driver, Maybe, NodeRow } from '../stores/driver.ts'
import { andThen } from '../stores/driver.ts'
import type { GapReader } from './damaged-history.ts'
import { readPast } from './unfinished-turn.ts'

/** How many messages are read when a conversation is opened; the rest when somebody looks at it. */
const page = 64

/** A log with no more records is read as a whole also where the store answers later. */
const short = 256

/** Reads a conversation's log into memory: no more of it than is needed, and what another process has added since. */
export class ThreadReader {
  readonly #driver: Driver
  readonly #tree: GapReader
  readonly #conversation: SharedConversation
  /** The store does not answer at once: what is not in memory has to be read before it is looked at. */
  #later = false
  /** Everything was in memory once: what another process adds is read as a whole too. */
  #whole = false

  constructor(driver: Driver, tree: GapReader, conversation: SharedConversation) {
    this.#driver = driver
    this.#tree = tree
    this.#conversation = conversation
  }

  /** How the store has it; nothing where it has none. */
  row(): Maybe<ConversationRow | undefined> {
    const reading = this.#driver.conversation(this.#conversation.id)
    this.#later = reading instanceof Promise
    return andThen(reading, row => {
      if (!row) this.#whole = true
      return row
    })
  }

  read(row: ConversationRow): Maybe<void> {
    this.#conversation.seq = row.seq
    this.#conversation.title = row.title
    return andThen(this.#readStates(), () =>
      andThen(this.#readTree(row), () => andThen(this.#readMadeUp(), () => this.#readTurns())),
    )
  }
  /** Another process may have branched off at the same place: what it has made up is the same. */
  #readMadeUp(): Maybe<void> {
    const madeUp = this.#conversation.aside?.madeUp ?? []
    return [...madeUp].reduce<Maybe<void>>(
      (waiting, node) =>
        andThen(waiting, () =>
          andThen(this.#driver.path(this.#conversation.id, node.id, 1), rows => {
            if (rows.length) madeUp.splice(madeUp.indexOf(node), 1)
          }),
        ),
      undefined,
    )
  }

  #readStates(): Maybe<void> {
    return andThen(this.#driver.states(this.#conversation.id), states => {
      for (const [name, value] of Object.entries(states)) this.#conversation.states.set(name, value)
    })
  }

  /** The last page; what is before it when somebody looks at it, or, of a store that answers later, with `readAll`. */
  #readTree({ id, head, n }: ConversationRow): Maybe<void> {
    const { tree } = this.#conversation
    if (head === undefined) return
    const all = this.#later && (this.#whole || n <= short)
    if (!this.#later) tree.source = missing => this.load(missing)
    else if (!all)
      tree.unread = missing => {
        throw unread(id, missing)
      }
    const reading = all ? this.#readNodes() : this.#readPage(head)
    return andThen(reading, () => {
      movedElsewhere(this.#conversation, tree.find(head))
    })
  }
  #readPage(head: string): Maybe<void> {
    return andThen(this.#tree.path(this.#conversation.id, head, page), rows => {
      this.#check()
      if (!this.#conversation.tree.has(head)) graft(this.#conversation, rows)
    })
  }

  readAll(): Maybe<void> {
    return this.#conversation.tree.unread && this.#readNodes()
  }
  /** Who looks meanwhile sees what was there before. */
  #readNodes(): Maybe<void> {
    const { tree, id } = this.#conversation
    return andThen(this.#tree.nodes(id), rows => {
      this.#check()
      const byId = new Map(rows.map(row => [row.id, row]))
      const put = (row: NodeRow): void => {
        if (tree.has(row.id)) return
        const parent = row.parent === undefined ? undefined : byId.get(row.parent)
        if (parent) put(parent)
        tree.restore(row.parent === undefined ? undefined : tree.find(row.parent), restored(row))
      }
      for (const row of rows) put(row)
      tree.arrange(rows.map(row => row.id))
      tree.unread = undefined
      this.#whole = true
    })
  }

  #readTurns(): Maybe<void> {
    const { id, unfinished, running } = this.#conversation
    return andThen(this.#driver.turns({ conversation: id, status: 'open' }), turns => {
      // To go on with a turn takes its past.
      if (turns.length && this.#conversation.tree.unread) return andThen(this.readAll(), () => this.#readTurns())
      const mine = new Map(running.map(turn => [turn.id, turn]))
      this.#dropEnded(new Set(turns.map(turn => turn.id)))
      return turns
        .filter(turn => mine.get(turn.id)?.phase === 'waiting' || !mine.has(turn.id))
        .reduce<Maybe<void>>(
          (waiting, turn) =>
            andThen(waiting, () =>
              andThen(this.#driver.records(id, { turn: turn.id }), records => {
                const past = readPast(turn, records)
                const resumed = mine.get(turn.id)
                if (resumed) catchUpWith(resumed, past)
                else unfinished.set(turn.id, past)
              }),
            ),
          undefined,
        )
    })
  }

  /** Another process has ended them since. */
  #dropEnded(open: ReadonlySet<string>): void {
    const { unfinished, running, head } = this.#conversation
    for (const turnId of unfinished.keys()) if (!open.has(turnId)) unfinished.delete(turnId)
    for (const turn of running)
      if (turn.replay.past && turn.phase === 'waiting' && !open.has(turn.id)) {
        turn.branch.advanceTo(head)
        abandonTurn(turn, endedElsewhere(turn.id))
      }
  }

  load(id: string): TreeNode | undefined {
    const rows = this.#later ? [] : this.#tree.path(this.#conversation.id, id)
    if (rows instanceof Promise || !rows.length) return undefined
    this.#check()
    return graft(this.#conversation, rows)
  }

  nodes(): readonly Node[] | undefined {
    const { tree, id } = this.#conversation
    tree.unread?.(id)
    const rows = this.#later ? undefined : this.#tree.nodes(id)
    if (!rows || rows instanceof Promise) return undefined
    return rows.map(({ id, parent, turn, at, message, usage }) => ({
      id,
      parentId: parent,
      message,
      turnId: turn,
      createdAt: at,
      ...(usage ? { usage } : {}),
      ...(usage?.cost === undefined ? {} : { cost: usage.cost }),
    }))
  }

  /** Why it can be read, but not gone on with. */
  get damage(): TurnbuckleError | undefined {
    return this.#tree.damage(this.#conversation.id)
  }
  /** It was deleted. */
  forget(): void {
    this.#tree.forget(this.#conversation.id)
  }
  /** A turn does not go on with a hole in its history. */
  #check(): void {
    if (this.damage && this.#conversation.running.length) throw this.damage
  }

  lastEnd(): Maybe<(TurnEnded & { readonly turnId: string }) | undefined> {
    const { id } = this.#conversation
    return andThen(this.#driver.turns({ conversation: id }), turns => {
      const last = turns.at(-1)
      if (!last || last.status === 'open') return undefined
      return andThen(this.#driver.records(id, { turn: last.id }), records => {
        const end = records.findLast(({ type }) => type === `turn.${last.status}`)
        const of = { conversationId: id, turnId: last.id }
        return end && ({ ...end.body, type: end.type, ...of } as unknown as TurnEnded & { turnId: string })
      })
    })
  }
}

const endedElsewhere = (turnId: string) =>
  new TurnbuckleError('turn.ended', `Another process has gone on with the turn "${turnId}" and ended it.`, {
    kind: 'store',
  })

const unread = (id: string, missing: string) =>
  new TurnbuckleError(
    'history.unread',
    `Only the end of "${id}" is in memory, not ${missing === id ? 'all of it' : `"${missing}"`}: await conversation.load() first.`,
    { kind: 'store' },
  )

/** An answer has come between reading the turn and becoming its writer. */
function catchUpWith(turn: TurnState, past: UnfinishedTurn): void {
  for (const event of past.events.slice(turn.replay.past?.events.length)) turn.events.push(event)
  turn.replay.resume(past)
}

const restored = ({ message, turn, at, usage, state, hidden }: NodeRow) => ({
  message,
  turnId: turn,
  createdAt: at,
  usage,
  state,
  hidden,
})

/** Puts a stretch of the path into memory, behind what is there already. */
function graft({ tree }: SharedConversation, rows: readonly NodeRow[]): TreeNode | undefined {
  const known = rows.findLastIndex(row => tree.has(row.id))
  const first = rows[known + 1]
  if (!first) return tree.find(rows.at(-1)?.id ?? '')
  return tree.graft(rows.slice(known + 1).map(restored), first.depth - 1, first.parent)
}
