import type { Message, NewMessage } from '../base/message.ts'

/**
 * The path of the running turn, editable. What is recorded never changes: an edit makes a branch that leaves the old
 * path at the first changed message, is checked as a whole, and is one record.
 */
export interface Messages extends Iterable<Message> {
  /** The number of messages on the path. */
  readonly length: number
  /** The message at an index; a negative one counts from the end. */
  at(index: number): Message | undefined
  /** A new array: changing it changes nothing here. */
  toArray(): Message[]
  /** A value for each message, in a new array. */
  map<Result>(read: (message: Message, index: number) => Result): Result[]
  /** The messages that pass the test, in a new array. */
  filter(test: (message: Message, index: number) => boolean): Message[]
  /** The first message that passes the test. */
  find(test: (message: Message) => boolean): Message | undefined
  /** Adds a message at the end of the path. */
  append(message: NewMessage): void
  /** Puts a message in front of the one at the index. */
  insert(index: number, message: NewMessage): void
  /** Leaves a message out. Refused where a call would lose its result. */
  remove(id: string): void
  /** Puts another message in the place of one. */
  replace(id: string, message: NewMessage): void
  /** The whole path in another order: every id exactly once. */
  reorder(ids: readonly string[]): void
}
