import type { Event } from 'turnbuckle'

/** The terminal event of a turn. */
export type TurnEnd = Extract<Event, { outcome: unknown }>

/** A turn in one of OpenAI's forms. It is told every event of the turn, whether or not the client reads a stream. */
export interface AnswerForm {
  /** The data of the stream before any event. */
  begin(): readonly object[]
  /** The data that an event adds to the stream. */
  add(event: Event): readonly object[]
  /** The last data of the stream; of a turn that failed too. */
  end(event: TurnEnd): readonly object[]
  /** The whole answer, of a turn that did not fail. */
  whole(event: TurnEnd): object
  /** The text that the client was given: by the stream, or in the whole answer. */
  text(isStream: boolean): string
  /** The lines of a piece of data. */
  line(data: object): string
  /** The line after the last. */
  readonly lastLine: string
}

/** Names that both forms carry. */
export interface AnswerNames {
  /** The id of the turn. */
  readonly id: string
  readonly model: string
  /** When the turn began, in seconds since 1970. */
  readonly created: number
  readonly conversationId: string
}

/** How the turn ended, beside OpenAI's own words for it. */
export const turnFacts = ({ conversationId }: AnswerNames, { outcome, reason, by }: TurnEnd): object => ({
  turnbuckle: { conversationId, outcome, reason, by },
})

/** The words for a turn that failed. */
export const failure = ({ error, reason }: TurnEnd): { code: string; message: string } => ({
  code: 'turn.failed',
  message: error ?? reason,
})
