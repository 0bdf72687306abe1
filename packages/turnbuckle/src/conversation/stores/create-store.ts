import type { Decision } from '../../core/directives/directives.ts'
import { eventOf } from '../../core/durable/event-records.ts'
import type { LoggedConversation, Store } from '../../core/durable/log-port.ts'
import type { Event } from '../../core/events/events.ts'
import type { Channel } from '../channel/channel.ts'
import { announce, type StoreNews } from '../channel/store-news.ts'
import { AnswerDesks } from '../log/answer-desks.ts'
import type { Lease } from '../log/lease.ts'
import { newHolder } from '../log/lease-holder.ts'
import { LogWriter } from '../log/log-writer.ts'
import { isNode } from '../platform/node-module.ts'
import { GapReader } from '../read/gap-reader.ts'
import { plain } from '../sql/changes-of.ts'
import type {
  ConversationRow,
  Driver,
  Hit,
  ListAsked,
  LogRecord,
  Maybe,
  NodeRow,
  RequestRow,
  RequestsAsked,
  SearchAsked,
  TurnRow,
  TurnsAsked,
} from './driver.ts'
import { andThen } from './driver.ts'
import type { Loss } from './loss.ts'

/** The options that every store has. */
export interface StoreOptions {
  /** Milliseconds that a silent writer keeps its lease on a conversation. Ten seconds by default. */
  readonly leaseMs?: number
  /** Milliseconds to wait for another writer's lease. Five seconds by default. */
  readonly waitMs?: number
  /** Called when a part of the store can no longer be read. By default a warning of the process, or of the console. */
  readonly onLoss?: (loss: Loss) => void
  /** Tells other processes on the store what is written here, at once. By default the driver's own: PostgreSQL has one. Closed with the store. */
  readonly channel?: Channel | undefined
}

/** Keeps conversations, and looks them up from outside a turn. */
export interface ConversationStore extends Store {
  /** Newest first, page by page: `before` is the last row of the page before. */
  list(where?: Partial<ListAsked>): Maybe<readonly ConversationRow[]>
  /** The row of a conversation, if there is one. */
  conversation(id: string): Maybe<ConversationRow | undefined>
  /** Every message of a conversation, on all branches. */
  nodes(conversation: string): Maybe<readonly NodeRow[]>
  /** The path that ends with a message; with `limit`, the end of it. */
  path(conversation: string, tip: string, limit?: number): Maybe<readonly NodeRow[]>
  /** Events with a greater sequence number than `after`, in order. */
  events(conversation: string, after?: number, limit?: number): Maybe<readonly Event[]>
  /** Turns by conversation, id or status. */
  turns(where: TurnsAsked): Maybe<readonly TurnRow[]>
  /** Requests that wait, of one conversation or of all. */
  requests(where?: RequestsAsked): Maybe<readonly RequestRow[]>
  /** The decisions of hooks in a turn that has ended. */
  decisions(conversation: string, turn: string): Maybe<readonly Decision[]>
  /** Messages that have the text in them, newest first. */
  search(where: Pick<SearchAsked, 'text'> & Partial<SearchAsked>): Maybe<readonly Hit[]>
  /** Deletes a conversation for good. */
  delete(conversation: string): Maybe<void>
  /** A value of your own, by its space and key. */
  get(space: string, key: string): Maybe<unknown>
  /** `unsynced`: the value may be lost with the machine's power; it is written along with the next commit. */
  set(space: string, key: string, value: unknown, expiresAt?: number, unsynced?: boolean): Maybe<void>
  /** Every key and value of a space. */
  entries(space: string): Maybe<readonly (readonly [string, unknown])[]>
  /** Lets go of conversations, files and connections. */
  close(): Maybe<void>
  /** The part of the store that can no longer be read; undefined while all of it can. */
  readonly loss: Loss | undefined
  /** The port underneath. */
  readonly driver: Driver
  /** Carries news between the processes that share the store; undefined where nothing does, and they look again and again. */
  readonly channel?: Channel | undefined
}

/** Makes a store of a driver. */
export function createStore(
  driver: Driver,
  { leaseMs = 10_000, waitMs = 5000, onLoss = warn, channel = driver.channel }: StoreOptions = {},
  lost?: Loss,
): ConversationStore {
  const tell = channel && ((news: StoreNews | undefined) => announce(channel, news))
  const holder = newHolder()
  const writers = new Map<string, Lease>()
  const desks = new AnswerDesks(driver)
  let loss = lost
  if (loss) onLoss(loss)
  const tree = new GapReader(driver, message => {
    loss = { ...loss, message: loss ? `${loss.message} ${message}` : message }
    onLoss(loss)
  })
  const store: ConversationStore = {
    driver,
    channel,
    get loss() {
      return loss
    },
    attach(conversation) {
      stores.set(conversation, store)
      return new LogWriter(driver, tree, conversation, { leaseMs, waitMs, holder, writers, desks, announce: tell })
    },
    list: ({ limit = 50, before, owner } = {}) => driver.list({ limit, before, owner }),
    conversation: id => driver.conversation(id),
    nodes: id => tree.nodes(id),
    path: (id, tip, limit) => tree.path(id, tip, limit),
    events: (id, after = 0, limit = 100_000) =>
      andThen(driver.records(id, { after, limit }), records => records.map(record => eventOf(record, id))),
    turns: where => driver.turns(where),
    requests: (where = {}) => driver.requests(where),
    decisions: (id, turn) => andThen(driver.records(id, { turn }), decisionsIn),
    search: ({ text, limit = 50, owner }) => driver.search({ text: plain(text), limit, owner }),
    delete(id) {
      tree.forget(id)
      return andThen(driver.delete(id), () => tell?.({ type: 'deleted', conversation: id }))
    },
    get: (space, key) => driver.get(space, key),
    set: (space, key, ...given) => andThen(driver.set(space, key, ...given), () => tell?.({ type: 'set', space, key })),
    entries: space => driver.entries(space),
    close: () => (channel ? andThen(channel.close(), () => driver.close()) : driver.close()),
  }
  return store
}

function decisionsIn(records: readonly LogRecord[]): readonly Decision[] {
  const note = records.findLast(({ type }) => type === 'note.decisions')
  return (note?.body['list'] as Decision[] | undefined) ?? []
}

const warn = ({ message }: Loss): void => {
  if (isNode) process.emitWarning(message, { type: 'TurnbuckleWarning', code: 'store.loss' })
  else console.warn(message)
}

const stores = new WeakMap<LoggedConversation, ConversationStore>()

/** The store that a conversation is kept in. */
export const storeOf = (conversation: LoggedConversation): ConversationStore | undefined => stores.get(conversation)
