import { demand, TurnbuckleError } from '../base/errors.ts'
import { asRecordable, type Message, type NewMessage } from '../base/message.ts'
import { checkEdited } from '../history/call-pairing.ts'
import { nodeAt, pathOf, seal, shownPath } from '../history/tree.ts'
import type { Messages } from '../types/messages.ts'
import type { OwnChanges } from '../types/own-changes.ts'
import type { TurnState } from '../types/turn-state.ts'
import { placeMessage } from './record-message.ts'

/**
 * The path of the running turn, editable. What is recorded never changes: an edit makes a branch that leaves the old
 * path at the first changed message, is checked as a whole, and is one record.
 */
export class EditableMessages implements Messages {
  readonly #turn: TurnState
  readonly #by: string
  /** Shows a hook's own message to the guards. Gives what they leave of it; nothing where one refused. */
  readonly #guarded: (message: Message) => Message | undefined
  readonly #changes: OwnChanges | undefined

  constructor(turn: TurnState, by: string, guarded: (message: Message) => Message | undefined, changes?: OwnChanges) {
    this.#turn = turn
    this.#by = by
    this.#guarded = guarded
    this.#changes = changes
  }

  get length(): number {
    return this.#turn.branch.tip?.depth ?? 0
  }
  at(index: number): Message | undefined {
    const node = nodeAt(this.#turn.branch.tip, index < 0 ? this.length + index : index)
    return node && seal(node.message)
  }
  [Symbol.iterator](): Iterator<Message> {
    return this.toArray()[Symbol.iterator]()
  }
  /** A new array: changing it changes nothing here. */
  toArray(): Message[] {
    return shownPath(this.#turn.branch.tip)
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
    const own = this.#own(message)
    if (own) this.#rewrite(index, rest => [own, ...rest])
  }
  remove(id: string): void {
    this.#rewrite(this.#indexOf(id), ([, ...rest]) => rest)
  }
  replace(id: string, message: NewMessage): void {
    const index = this.#indexOf(id)
    const own = this.#own(message)
    if (own) this.#rewrite(index, ([, ...rest]) => [own, ...rest])
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

  #own(message: NewMessage): Message | undefined {
    this.#checkRunning()
    const id = message?.id ?? this.#turn.ids.of(`e${this.#turn.branch.nextEdit()}`)
    const own = asRecordable(message, 'user', id)
    demand(own.content.length, 'message.empty', 'The message says nothing.')
    return this.#guarded({ by: this.#by, ...own, id })
  }
  #checkRunning(): void {
    if (this.#turn.over) throw new TurnbuckleError('turn.ended', 'The turn is over: its history is closed.')
  }

  #indexOf(id: string): number {
    const node = this.#turn.conversation.tree.find(id)
    if (node && nodeAt(this.#turn.branch.tip, node.depth - 1) === node) return node.depth - 1
    throw new TurnbuckleError('history.missing', `No message "${id}" on this path.`)
  }

  #rewrite(from: number, change: (rest: Message[]) => Message[]): void {
    this.#checkRunning()
    const turn = this.#turn
    const { branch } = turn
    const path = pathOf(branch.tip)
    const next = change(path.slice(from))
    checkEdited([...path.slice(0, from), ...next], from, branch.openCalls)
    const edited = branch.tip?.id
    const kept = nodeAt(branch.tip, from - 1)
    let tip = kept
    turn.time.tick()
    for (const message of next) tip = placeMessage(turn, tip, message)
    const before = branch.tip
    branch.advanceTo(tip)
    this.#changes?.note('messages', before, tip)
    turn.stateLog.keepBranch(kept?.state)
    const messages = pathOf(tip).slice(from)
    turn.tell({ type: 'history.edited', from: edited, to: tip?.id, parentId: kept?.id, messages, by: this.#by })
  }
}
