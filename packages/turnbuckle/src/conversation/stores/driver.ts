import type { Maybe } from '../../core/base/maybe.ts'
import type { Message } from '../../core/base/message.ts'
import type { Usage } from '../../core/base/ports.ts'
import type { Channel } from '../channel/channel.ts'

export { andThen, type Maybe } from '../../core/base/maybe.ts'

/** An entry of a log: an event with its number, or a private note without one. Plain JSON. */
export interface LogRecord {
  /** The record's place in the log, from 1. */
  readonly n: number
  readonly seq: number | undefined
  readonly turn: string | undefined
  readonly type: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A message as the tree has it. */
export interface NodeRow {
  readonly id: string
  readonly parent: string | undefined
  readonly depth: number
  readonly turn: string | undefined
  readonly at: number
  readonly message: Message
  readonly usage: Usage | undefined
  readonly state: Readonly<Record<string, unknown>> | undefined
  readonly hidden: boolean
}

/** A conversation, as a store lists it. */
export interface ConversationRow {
  readonly id: string
  readonly title: string | undefined
  readonly owner: string | undefined
  /** The turn that has called the conversation's agent as a tool. Missing where no turn has. */
  readonly caller?: string | undefined
  readonly head: string | undefined
  readonly seq: number
  /** The place of the log's last record. */
  readonly n: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly usage: Usage
  /** A process that may be alive has the lease. Missing in lists. */
  readonly held?: boolean
}

/** A place in the list of conversations: any row of it, usually the last of a page. */
export type Place = Pick<ConversationRow, 'updatedAt' | 'id'>

/** A turn of a conversation. Its id is unique within the conversation only. */
export interface TurnRow {
  readonly id: string
  readonly conversation: string
  readonly status: string
  readonly startedAt: number
}

/** A request of a conversation. Its id is unique within the conversation only. A closed one has no payload: the log has it. */
export interface RequestRow {
  readonly id: string
  readonly conversation: string
  readonly turn: string
  readonly kind: string
  readonly payload: unknown
  readonly openedAt: number
  readonly deadline: number | undefined
}

/** Records that are written together, or not at all. */
export interface Commit {
  readonly conversation: string
  /** The name of the writer, which the lease is given to. */
  readonly holder: string
  /** The token this writer got with its first commit; without one it becomes the writer now. */
  readonly fence: number | undefined
  readonly leaseMs: number
  /** Stops being the writer with this commit. */
  readonly release: boolean
  readonly records: readonly Omit<LogRecord, 'n'>[]
  readonly head: string | undefined
  /** Kept of the commit that makes the conversation, as `caller` is. */
  readonly owner?: string | undefined
  /** The turn whose call the conversation works for. */
  readonly caller?: string | undefined
  /** True for records that may be lost with the machine's power, though not with the process: no disk is waited for. */
  readonly unsynced?: boolean
}

/** True for a commit that moves its conversation in the list. Switching middleware, and the end of a lease, do not. */
export const isActivity = ({ records }: Commit): boolean => records.some(({ type }) => type !== 'middleware.changed')

/** The turns that are asked for. */
export interface TurnsAsked {
  readonly conversation?: string
  readonly id?: string
  readonly status?: string
}
/** The requests that are asked for. */
export interface RequestsAsked extends Omit<TurnsAsked, 'status'> {
  /** Asks for requests that were answered or have expired, and not for those that wait. */
  readonly closed?: boolean
}
/** A page of the list of conversations that is asked for. */
export interface ListAsked {
  readonly limit: number
  readonly before?: Place | undefined
  readonly owner?: string | undefined
}
/** A search for messages. */
export interface SearchAsked {
  readonly text: string
  readonly limit: number
  readonly owner?: string | undefined
}
/** A message that a search has found. */
export interface Hit {
  readonly conversation: string
  readonly node: NodeRow
}

/** The place of a conversation after a commit. */
export interface Committed {
  /** The token that later commits of this writer must have. */
  readonly fence: number
  /** Number of records in the log. */
  readonly n: number
  /** When the conversation was begun. A driver that tells it spares a new writer a reading. */
  readonly createdAt?: number | undefined
}

/**
 * The port that a store implements. Contract: a commit is durable when `commit` returns or resolves, and all of it or
 * none of it is there afterwards; it fails with `conversation.locked` while another living writer holds the
 * conversation, and with `store.fenced` when another has taken it over.
 */
export interface Driver {
  /** Readings for a caller that cannot wait, where this driver's own are promises and the thread of the caller can read. */
  readonly atOnce?: Readings | undefined
  /** Carries messages between the processes on the database, where it can do that too. */
  readonly channel?: Channel | undefined
  /** Writes records and projections of one conversation, all or none, if the writer still holds the lease. */
  commit(commit: Commit): Maybe<Committed>
  /** Keeps holding the conversation. False when it was let go of, or another has taken it over. */
  renew(conversation: string, holder: string, fence: number, leaseMs: number): Maybe<boolean>
  /** The row of a conversation, if there is one. */
  conversation(id: string): Maybe<ConversationRow | undefined>
  /** The messages up to `tip`, root first; only the last `limit` of them when given. */
  path(conversation: string, tip: string, limit?: number): Maybe<readonly NodeRow[]>
  /** Every message of a conversation, on all branches. */
  nodes(conversation: string): Maybe<readonly NodeRow[]>
  /** States of middleware in the scope of the conversation. */
  states(conversation: string): Maybe<Readonly<Record<string, unknown>>>
  /** Records in order: a turn's, or those with a greater sequence number. */
  records(
    conversation: string,
    where: { readonly turn?: string; readonly after?: number; readonly limit?: number },
  ): Maybe<readonly LogRecord[]>
  /** Turns by conversation, id or status. */
  turns(where: TurnsAsked): Maybe<readonly TurnRow[]>
  /** Requests that wait, or with `closed` those that do not. */
  requests(where: RequestsAsked): Maybe<readonly RequestRow[]>
  /** Newest first, those of one moment by id; `before` is the last row of the page before. */
  list(where: ListAsked): Maybe<readonly ConversationRow[]>
  /** Messages that have the text in them, newest first. */
  search(where: SearchAsked): Maybe<readonly Hit[]>
  /** Deletes a conversation for good. */
  delete(conversation: string): Maybe<void>
  /** Small values of the programs above: permissions, idempotency keys. */
  get(space: string, key: string): Maybe<unknown>
  /** `unsynced`: the value may be lost with the machine's power; it is written along with the next commit. */
  set(space: string, key: string, value: unknown, expiresAt?: number, unsynced?: boolean): Maybe<void>
  /** Every key and value of a space. */
  entries(space: string): Maybe<readonly (readonly [string, unknown])[]>
  /** Lets go of files and connections. */
  close(): Maybe<void>
}

/** The part of the port that reads conversations. */
export type Readings = Pick<Driver, 'conversation' | 'path' | 'nodes' | 'states' | 'records' | 'turns'>
