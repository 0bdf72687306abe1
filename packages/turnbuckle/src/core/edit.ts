import { TurnbuckleError } from './errors.ts'
import { asMessage, callsOf, type Message, type NewMessage } from './message.ts'
import type { Run } from './run.ts'
import { nodeAt, pathOf } from './tree.ts'

/**
 * The path of the running turn, editable. What is recorded never changes: an edit makes a branch that leaves the old
 * path at the first changed message, is checked as a whole, and is one record.
 */
export class Messages implements Iterable<Message> {
  readonly #run: Run
  readonly #by: string

  constructor(run: Run, by: string) {
    this.#run = run
    this.#by = by
  }

  get length(): number {
    return this.#run.tip?.depth ?? 0
  }
  at(index: number): Message | undefined {
    return nodeAt(this.#run.tip, index < 0 ? this.length + index : index)?.message
  }
  [Symbol.iterator](): Iterator<Message> {
    return this.toArray()[Symbol.iterator]()
  }
  /** A new array: changing it changes nothing here. */
  toArray(): Message[] {
    return pathOf(this.#run.tip)
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
    return asMessage({ by: this.#by, ...message, id: message.id ?? this.#run.core.ids.next('msg') }, 'user', '')
  }

  #indexOf(id: string): number {
    const node = this.#run.thread.tree.find(id)
    if (node && nodeAt(this.#run.tip, node.depth - 1) === node) return node.depth - 1
    throw new TurnbuckleError('history.missing', `No message "${id}" on this path.`)
  }

  #rewrite(from: number, change: (rest: Message[]) => Message[]): void {
    const run = this.#run
    if (run.over) throw new TurnbuckleError('turn.ended', 'The turn is over: its history is settled.')
    const path = pathOf(run.tip)
    const rest = path.slice(from)
    const next = change(rest)
    checkPairs([...path.slice(0, from), ...next], from, run.openCalls.length > 0)
    const { tree, clock } = run.thread
    const edited = run.tip?.id
    const kept = nodeAt(run.tip, from - 1)
    let tip = kept
    for (const message of next) {
      const id = tree.find(message.id) ? `${message.id}~${tree.nodes.length}` : message.id
      tip = tree.add(tip, { ...message, id }, run.id, clock.now(), run.branchState)
    }
    run.tip = tip
    const messages = pathOf(tip).slice(from)
    run.emit({ type: 'history.edited', from: edited, to: tip?.id, messages, by: this.#by })
  }
}

/** Every call answered, in order, right after it; nothing answered that was not called. Calls of the running batch may be open at the end. */
function checkPairs(path: readonly Message[], from: number, batchOpen: boolean): void {
  let start = Math.min(from, path.length - 1)
  while (start > 0 && path[start]?.role === 'tool') start--
  if (start > 0 && path[start - 1]?.role === 'assistant') start--
  let open: string[] = []
  for (let i = Math.max(0, start); i < path.length; i++) {
    const message = path[i] as Message
    const results =
      message.role === 'tool' ? message.content.filter(part => part.type === 'result').map(part => part.id) : []
    for (const id of results) if (open.shift() !== id) throw orphan(`the result of call "${id}" would stand alone`)
    if (message.role === 'tool') continue
    if (open.length) throw orphan(`the call "${open[0]}" would have no result`)
    open = message.role === 'assistant' ? callsOf(message).map(call => call.id) : []
  }
  if (open.length && !batchOpen) throw orphan(`the call "${open[0]}" would have no result`)
  if (!open.length && batchOpen) throw orphan('calls are running whose results belong at the end of the path')
}

const orphan = (why: string): TurnbuckleError =>
  new TurnbuckleError('history.orphan', `That edit is refused: ${why}. Edit a call together with its result.`)
