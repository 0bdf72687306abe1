import type { Message, NewMessage } from '../base/message.ts'

/**
 * The path of the running turn, editable. What is recorded never changes: an edit makes a branch that leaves the old
 * path at the first changed message, is checked as a whole, and is one record.
 */
export interface Messages extends Iterable<Message> {
  readonly length: number
  at(index: number): Message | undefined
  /** A new array: changing it changes nothing here. */
  toArray(): Message[]
  map<Result>(read: (message: Message, index: number) => Result): Result[]
  filter(test: (message: Message, index: number) => boolean): Message[]
  find(test: (message: Message) => boolean): Message | undefined
  append(message: NewMessage): void
  insert(index: number, message: NewMessage): void
  remove(id: string): void
  replace(id: string, message: NewMessage): void
  /** The whole path in another order: every id exactly once. */
  reorder(ids: readonly string[]): void
}
