import { demand, TurnbuckleError } from '../base/errors.ts'
import { asRecordable, type Call, callsOf, type Message, type NewMessage } from '../base/message.ts'
import { nodeAt, pathOf, seal, shownPath } from '../history/tree.ts'
import { put } from './record-message.ts'
import type { TurnState } from './turn-state.ts'

/**
 * The path of the running turn, editable. What is recorded never changes: an edit makes a branch that leaves the old
 * path at the first changed message, is checked as a whole, and is one record.
 */
export class Messages implements Iterable<Message> {
  readonly #turn: TurnState
  readonly #by: string

  constructor(turn: TurnState, by: string) {
    this.#turn = turn
    this.#by = by
  }

  get length(): number {
    return this.#turn.tip?.depth ?? 0
  }
  at(index: number): Message | undefined {
    const node = nodeAt(this.#turn.tip, index < 0 ? this.length + index : index)
    return node && seal(node.message)
  }
  [Symbol.iterator](): Iterator<Message> {
    return this.toArray()[Symbol.iterator]()
  }
  /** A new array: changing it changes nothing here. */
  toArray(): Message[] {
    return shownPath(this.#turn.tip)
  }
  map<Result>(read: (message: Message, index: number) => Result): Result[] {
    return this.toArray().map(read)
  }
  filter(test: (message: Message, index: number) => boolean): Message[] {
    return this.toArray().filter(test)
  }
  find(test: (message: Message) => boolean): Message | undefined {
    return this.toArray().find(test)
  }

  append(message: NewMessage): void {
    this.insert(this.length, message)
  }
  insert(index: number, message: NewMessage): void {
    if (!(index >= 0 && index <= this.length))
      throw new TurnbuckleError('history.index', `There is no place ${index} in a path of ${this.length} messages.`)
    this.#rewrite(index, rest => [this.#own(message), ...rest])
  }
  remove(id: string): void {
    this.#rewrite(this.#indexOf(id), ([, ...rest]) => rest)
  }
  replace(id: string, message: NewMessage): void {
    this.#rewrite(this.#indexOf(id), ([, ...rest]) => [this.#own(message), ...rest])
  }
  /** The whole path in another order: every id exactly once. */
  reorder(ids: readonly string[]): void {
    const now = this.toArray()
    const byId = new Map(now.map(message => [message.id, message]))
    if (ids.length !== now.length || new Set(ids).size !== ids.length || ids.some(id => !byId.has(id)))
      throw new TurnbuckleError('history.order', 'reorder() takes the id of every message on the path exactly once.')
    const first = now.findIndex((message, i) => message.id !== ids[i])
    if (first >= 0) this.#rewrite(first, () => ids.slice(first).map(id => byId.get(id) as Message))
  }

  #own(message: NewMessage): Message {
    const id = message?.id ?? this.#turn.ids.of(`e${this.#turn.edits++}`)
    const own = asRecordable(message, 'user', id)
    demand(own.content.length, 'message.empty', 'The message says nothing.')
    return { by: this.#by, ...own, id }
  }

  #indexOf(id: string): number {
    const node = this.#turn.conversation.tree.find(id)
    if (node && nodeAt(this.#turn.tip, node.depth - 1) === node) return node.depth - 1
    throw new TurnbuckleError('history.missing', `No message "${id}" on this path.`)
  }

  #rewrite(from: number, change: (rest: Message[]) => Message[]): void {
    const turn = this.#turn
    if (turn.over) throw new TurnbuckleError('turn.ended', 'The turn is over: its history is settled.')
    const path = pathOf(turn.tip)
    const rest = path.slice(from)
    const next = change(rest)
    checkPairs([...path.slice(0, from), ...next], from, turn.openCalls)
    const edited = turn.tip?.id
    const kept = nodeAt(turn.tip, from - 1)
    let tip = kept
    turn.tick()
    for (const message of next) tip = put(turn, tip, message)
    turn.tip = tip
    turn.stateNotes.keepBranch(kept?.state)
    const messages = pathOf(tip).slice(from)
    turn.emit({ type: 'history.edited', from: edited, to: tip?.id, parentId: kept?.id, messages, by: this.#by })
  }
}

/**
 * Every call answered, in order, right after it; nothing answered that was not called. The calls of a running batch
 * are open at the end, and only they. Looks only at what an edit from `from` on can have touched.
 */
function checkPairs(path: readonly Message[], from: number, running: readonly Call[]): void {
  let open: readonly string[] = []
  for (const message of path.slice(groupStart(path, from))) open = pair(open, message)
  if (open.length > running.length) throw unanswered(open)
  if (running.some(({ id }, i) => open[i] !== id))
    throw orphan('calls are running whose results belong at the end of the path')
}

/** The calls that are open after a message, given those that were before it. */
function pair(open: readonly string[], message: Message): readonly string[] {
  if (message.role !== 'tool') {
    if (open.length) throw unanswered(open)
    return message.role === 'assistant' ? callsOf(message).map(call => call.id) : []
  }
  const results = message.content.filter(part => part.type === 'result')
  const stray = results.find((result, i) => result.id !== open[i])
  if (stray) throw orphan(`the result of call "${stray.id}" would stand alone`)
  return open.slice(results.length)
}

const unanswered = ([id]: readonly string[]): TurnbuckleError => orphan(`the call "${id}" would have no result`)

/** The assistant's message that what stands at `index` may belong to. */
function groupStart(path: readonly Message[], index: number): number {
  let start = Math.max(0, Math.min(index, path.length - 1))
  while (start > 0 && path[start]?.role === 'tool') start--
  while (start > 0 && path[start - 1]?.role === 'tool') start--
  return start > 0 && path[start - 1]?.role === 'assistant' ? start - 1 : start
}

const orphan = (why: string): TurnbuckleError =>
  new TurnbuckleError('history.orphan', `That edit is refused: ${why}. Edit a call together with its result.`)
