import type { Maybe } from '../base/maybe.ts'
import type { Message, ToolResult } from '../base/message.ts'
import type { Prompt, Usage } from '../base/ports.ts'
import type { AnswerDesk, LoggedConversation } from '../durable/log-port.ts'
import type { PromptChanges } from '../durable/prompt-changes.ts'
import type { Event, TurnEnded } from '../events/events.ts'
import type { TellableEvent, WhenWriter } from '../events/news.ts'
import type { Node } from '../history/tree.ts'
import type { Client } from './tool-context.ts'
import type { Checkpoint, StateRecord } from './unfinished-turn.ts'

/** Private records: they take no sequence number and never reach a client. */
export type Note =
  | {
      readonly note: 'turn'
      readonly message: Message
      readonly parentId: string | undefined
      readonly guards: readonly string[]
      readonly client?: Client | undefined
      /** The turn has no message of its own. */
      readonly goesOn?: true | undefined
      /** 2: facts of the turn's records are fields. Turns of the first version have no `format`, and facts inside ids. */
      readonly format?: 2
    }
  /** Logs of the first version have neither `stage` nor `within`. */
  | ({
      readonly note: 'entered' | 'left'
      readonly stage?: string
      readonly within?: readonly string[] | undefined
    } & Omit<Checkpoint, 'order' | 'stage' | 'within'>)
  /** An attempt at a reply is about to be shown or recorded under its message id. */
  | { readonly note: 'attempt'; readonly messageId: string; readonly step: number; readonly attempt: number }
  /** The model has replied; hooks may still change or refuse it. Logs of the first version have no `step` and `attempt`. */
  | {
      readonly note: 'reply'
      readonly message: Message
      readonly step?: number | undefined
      readonly attempt?: number | undefined
      readonly usage?: Usage | undefined
      readonly finishReason?: string | undefined
      readonly total: Usage
    }
  /** A call begins: durable before it does. */
  | {
      readonly note: 'intent'
      readonly callId: string
      readonly name: string
      readonly args: unknown
      readonly idempotencyKey: string
    }
  /** Result of a call, before its hooks have seen it. */
  | { readonly note: 'raw'; readonly callId: string; readonly result: ToolResult }
  | ({ readonly note: 'state' } & StateRecord & { readonly node?: string | undefined })
  /** Text of a reply that grows, as it was shown: what is found of it after a crash. */
  | {
      readonly note: 'sketch'
      readonly messageId: string
      readonly text: string
      readonly reasoning?: boolean | undefined
    }
  /** Changes that hooks made to the prompt of a reply. The log keeps fingerprints of them. */
  | ({ readonly note: 'prompt'; readonly messageId: string; readonly attempt?: number } & PromptChanges)
  /** A person has changed a call. */
  | { readonly note: 'edited'; readonly callId: string; readonly args: unknown }
  /** An interjection whose text nobody is told yet. */
  | { readonly note: 'said'; readonly text: string; readonly by?: string | undefined }
  /** A process may have ended in the middle of a model call: what that used is in no total. */
  | { readonly note: 'lost' }
  /** A model call begins, in a turn that has asked people. */
  | { readonly note: 'calling' }
  /** Usage of a turn that is no message's. Kept with its end. */
  | { readonly note: 'besides'; readonly usage: Usage }
  | { readonly note: 'decisions'; readonly list: readonly unknown[] }
  /** Usage of a sub-agent's turn so far, and the total of this turn with it. */
  | { readonly note: 'spent'; readonly turnId: string; readonly usage: Usage; readonly total: Usage }

/** A prompt as it would be without hooks. `path`: absent where the prompt's messages are the path, which is then not read. */
export interface UsualPrompt {
  readonly path: readonly Message[] | undefined
  readonly instructions: string
}

/** An attempt at a reply, by the id of its message. */
export interface NumberedAttempt {
  readonly id: string
  /** The attempt's place among those of its step, from 0. */
  readonly number: number
}

/** The terminal event of a turn of the log. */
export type EndedTurn = TurnEnded & { readonly turnId: string }

/** The durable side of a conversation, as turns use it. Without one nothing is recorded and nothing is awaited. */
export interface Journal {
  /** The conversation as its store knows it. */
  readonly logged: LoggedConversation
  /** Why nothing can be kept any more: what is in memory may be ahead of the log, so open the conversation again. */
  readonly broken: unknown
  /** Where answers come from other processes, and go to them. */
  readonly desk: AnswerDesk | undefined
  /** Becomes the writer, and reads what other processes have written. Throws where the log is lost or damaged. */
  open(): Maybe<void>
  /** Reads what another process has written since. A writer has nothing to read. */
  refresh(): Maybe<void>
  /** Keeps an event; `deliver` is called when it is durable. */
  event(event: Event, deliver: () => void): void
  /** Calls `deliver` after everything kept so far is durable: at once when it is. */
  behind(deliver: () => void): void
  note(turnId: string, note: Note): void
  /** Keeps what was changed in a prompt that is about to be sent. */
  prompt(turnId: string, attempt: NumberedAttempt, prompt: Prompt, usual: UsualPrompt): void
  /** Keeps text of a partial reply that was shown, within some milliseconds. */
  partialReply(turnId: string, messageId: string, text: string, reasoning: boolean): void
  /** Terminal event of the last turn, where that has ended. */
  lastEnd(): Maybe<EndedTurn | undefined>
  /** Terminal event of one turn, where that has ended. */
  endOf(turnId: string): Maybe<EndedTurn | undefined>
  /** The status of a turn, `open` or how it ended; undefined where the log has no turn of that id. */
  turnStatus(id: string): Maybe<string | undefined>
  /** True for a turn that this process has begun; the log may not have it yet. */
  hasBegun(id: string): boolean
  /** The bytes of a file that the store keeps for this conversation, as Base64. */
  file(id: string): Maybe<string | undefined>
  /** Resolves when everything kept so far is durable, and this is still the writer. One barrier serves all that wait for it. */
  barrier(): Promise<void>
  /** Lets go of the conversation with the next barrier, unless a turn runs here. */
  release(): Promise<void>
  /** Every message of every branch, where the store can tell at once. Throws where only a part is in memory. */
  nodes(): readonly Node[] | undefined
  /** Reads every message of every branch that the store could not give at once. */
  readAll(): Maybe<void>
  /** Deletes the conversation. */
  remove(): Promise<void>
}

/** Events outside of turns, of a conversation on a log: they wait until this process is the writer. */
export interface OutsideTurns {
  /** Resolves when the log has the event. One that waits for the next write gives no promise. */
  tell(body: TellableEvent, keeping: 'nextWrite' | WhenWriter): Promise<void> | undefined
  /** Writes the events that wait for the next write, if this process can be the writer now. */
  writeQueued(): void
  /** Tells the events that wait for the next write: this process is the writer. */
  tellQueued(): void
  /** Acts as the writer. Where the store answers at once it is done when this returns; it is durable when that resolves. */
  write(act: () => void): Promise<void>
  /** Resolves when every event so far is in the log. */
  kept(): Promise<void>
}
