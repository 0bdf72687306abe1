import type { EventBody } from './events.ts'

/**
 * An event that is about to be told. Of the built-in events a field that is missing or misspelled is a type error; events of
 * hooks, tools and users have any fields, and come through `ownEvent`.
 */
export type News = TellableEvent | LazyEvent

/** `turnId`: the turn of an event that is told outside of it. */
export type TellableEvent = (EventBody & { turnId?: string }) | OwnEvent

declare const mark: unique symbol
/** Opaque: with its open fields in the union, a misspelled field of a built-in event would be taken for one of them. */
type OwnEvent = { readonly type: string; readonly [mark]: true }

/** A copy of an event that a hook, a tool or a user tells: telling it puts its number, time and turn into it. */
export const ownEvent = <Told extends { readonly type: string }>(event: Told): OwnEvent =>
  ({ ...event }) as { readonly type: string } as OwnEvent

type Maker<First, Second> = (first: First, second: Second) => EventBody

/** An event as the function that makes it and the things it tells of: no object is made of it while nobody listens. */
export class LazyEvent {
  /** Unlike a made event it has no type yet. */
  declare readonly type: undefined
  seq = 0
  at = 0
  readonly make: Maker<unknown, unknown>
  readonly first: unknown
  readonly second: unknown

  constructor(make: Maker<unknown, unknown>, first: unknown, second: unknown) {
    this.make = make
    this.first = first
    this.second = second
  }

  body(): EventBody {
    return this.make(this.first, this.second)
  }
}

/** For events of every step. `first` and `second` must not change afterwards. */
export function lazily<First>(make: (first: First) => EventBody, first: First): LazyEvent
export function lazily<First, Second>(make: Maker<First, Second>, first: First, second: Second): LazyEvent
export function lazily<First, Second>(make: Maker<First, Second>, first: First, second?: Second): LazyEvent {
  return new LazyEvent(make as Maker<unknown, unknown>, first, second)
}

/** Puts what an event tells of into memory, or takes it back. */
export type MemoryChange = (kept: boolean) => void

/** Where an event is kept, and when. */
export type Keeping =
  /** In the log and in its turn, with a number; told when the log has it. For whoever is the log's writer: a turn is. */
  | 'kept'
  /** In its turn, without a number, told at once: the log is lost, or refuses it. */
  | 'unkept'
  /** Nowhere: news of the moment, told behind the events that are kept so far. */
  | 'passing'
  /** As `kept`, with what is next written to the log: messages that no turn has recorded. */
  | 'nextWrite'
  | WhenWriter

/** As `kept`, once this process is the log's writer: for events outside of turns. */
export interface WhenWriter {
  readonly change?: MemoryChange
  /** The caller drops the promise, so `conversation.kept()` rejects if the log refuses the event. */
  readonly unheard?: boolean
}
export const whenWriter: WhenWriter = {}
