import type { Maybe } from '../base/maybe.ts'
import type { Message } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { HandedAnswer } from '../events/request.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'

/** An entry of a log: an event with its sequence number, or a private note without one. Plain JSON. */
export interface LogRecord {
  readonly seq: number | undefined
  readonly turn: string | undefined
  readonly type: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A message of the tree, as the log has it. */
export interface LogNode {
  readonly id: string
  readonly parent: string | undefined
  /** Number of messages on the path to it, itself included. */
  readonly depth: number
  readonly turn: string | undefined
  readonly at: number
  readonly message: Message
  readonly usage: Usage | undefined
  readonly state: Readonly<Record<string, unknown>> | undefined
  readonly hidden: boolean
}

export interface LogNodes {
  readonly nodes: readonly LogNode[]
  /** Set where messages are missing from the log: it can be read, and no turn may go on with it. */
  readonly damage: Error | undefined
}

/** A conversation as its log has it now. */
export interface LogContents extends LogNodes {
  readonly seq: number
  /** The turn whose call the conversation was begun for. */
  readonly caller: string | undefined
  readonly title: string | undefined
  readonly head: string | undefined
  /** Conversation-scoped states, by middleware. */
  readonly states: Readonly<Record<string, unknown>>
  /**
   * Messages that are not among `nodes`: there are none, `read` gives them at once, or only after a wait. At once or
   * later: at once the thread waits for the disk, so a turn reads them before it begins.
   */
  readonly rest: 'none' | 'atOnce' | 'atOnceOrLater' | 'later'
  /** Turns that have not ended, as their records tell. */
  readonly unfinished: readonly UnfinishedTurn[]
  /** Ids out of `LoggedConversation.unwritten` that the log has: another process made up the same messages. */
  readonly had: readonly string[]
}

/** Why a log cannot be written to any more. Memory may be ahead of it, so the conversation has to be read anew. */
export interface LogLoss {
  readonly why: 'takenOver' | 'deleted' | 'failed'
  readonly error: unknown
}

/** The outcome of looking for changes that other processes have made, or of becoming the writer. */
export type LogNews =
  | { readonly status: 'unchanged' }
  | { readonly status: 'changed'; readonly contents: LogContents }
  /** The log is as it was, and may be opened later: it is damaged. */
  | { readonly status: 'refused'; readonly error: unknown }
  | ({ readonly status: 'lost' } & LogLoss)

/** Readings of a log, by name. */
export interface LogReadings {
  /** Changes since the last reading. A writer has none to read. */
  readonly news: LogNews
  /** As `news`, for a caller that cannot wait, where the store can answer at once. */
  readonly newsAtOnce: LogNews
  /** Becomes the writer, then reads as `news`. Rejects with `conversation.locked` when another writer stays too long. */
  readonly newsToWrite: LogNews
  /** Every message of every branch. */
  readonly nodes: LogNodes
  /** As `nodes`; undefined where the store does not answer at once. */
  readonly nodesAtOnce: LogNodes | undefined
  /** Messages up to the one whose id is given, root first; undefined where the store does not answer at once. */
  readonly pathAtOnce: LogNodes | undefined
  /** The terminal event of the last turn, where that has ended. */
  readonly lastEnd: LogRecord | undefined
  /** The terminal event of the turn whose id is given, where that has ended. */
  readonly endOf: LogRecord | undefined
  /** The status of the turn whose id is given; undefined where the log has no such turn. */
  readonly turnStatus: string | undefined
  /** The bytes of a file that the store keeps for this conversation, by its id, as Base64. */
  readonly file: string | undefined
}

/** Ways to let go of a log. */
export type Release =
  /** The log stays, for whichever process writes next: let go with the next commit, if `isIdle` still says so then. */
  | { readonly to: 'leave'; readonly isIdle: () => boolean }
  /** The conversation is deleted. `isAwaited`: somebody waits to write to it, who would make it again. */
  | { readonly to: 'delete'; readonly isAwaited: boolean }

/** Where the processes on a store hand answers to the one that is a conversation's writer. */
export interface AnswerDesk {
  /**
   * Hands an answer to the writer. True where that has taken it: the log has it then. Rejects with the writer's refusal. False where
   * no other process is the writer, or it does not reply.
   */
  hand(given: HandedAnswer): Maybe<boolean>
  /** Takes the answers that other processes hand in. `take` resolves when the log has one, and rejects to refuse it. Returns how to stop. */
  attend(take: (given: HandedAnswer) => Promise<void>): () => void
}

/** The log of one conversation. It knows neither turns nor who listens. */
export interface Log {
  /**
   * Keeps a record for the next commit. `delivered` is called when it is durable, and all before it; without a record,
   * when all before is: at once where that is so. A record is committed at the latest `within` milliseconds, or a few
   * where `delivered` waits for it, else with the next barrier. A lost log takes nothing and delivers nothing.
   */
  append(record: LogRecord | undefined, delivered?: () => void, within?: number): void
  /** Resolves when all records so far are durable and this is still the writer; rejects with the error of the loss. */
  barrier(): Promise<void>
  read<What extends keyof LogReadings>(what: What, id?: string): Maybe<LogReadings[What]>
  release(how: Release): Promise<void>
  /** Missing where an answer to a running turn's question can only be given in its own process. */
  readonly desk?: AnswerDesk | undefined
}

/** A conversation as its log sees it. */
export interface LoggedConversation {
  readonly id: string
  readonly owner: string | undefined
  /** The turn whose call the conversation works for. Known when the first turn is sent. */
  readonly caller: () => string | undefined
  /** The conversation's head; a commit keeps it. */
  readonly headId: () => string | undefined
  /** Ids of messages in memory that are not written yet. */
  readonly unwritten: () => readonly string[]
  /** Called once, when the log is lost. */
  readonly onLost: (loss: LogLoss) => void
}

/** Keeps the logs of conversations. */
export interface Store {
  /** Gives the log of a conversation; reads nothing yet. */
  attach(conversation: LoggedConversation): Maybe<Log>
}
