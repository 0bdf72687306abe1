import type { JsonSchema } from '../base/schema-problem.ts'

/** The options of `ctx.ask`. */
export interface AskOptions {
  /** Milliseconds until the fallback. By default none where a log keeps the question, five minutes where nothing does. */
  readonly timeout?: number
  /**
   * The answer when nobody gives one. For permissions the word `'deny'` or `'allow'`. It is the asker's own, so `check` does not see it.
   * Without it `ask` rejects with `request.expired`.
   */
  readonly fallback?: unknown
  /**
   * The JSON Schema of the answer. Kept with the request, so that an answer is checked in whichever process it arrives. Without it the
   * one of the kind counts, or an object's `schema` in the payload.
   */
  readonly schema?: JsonSchema
  /** The people who may answer, beside the conversation's owner; `'*'` is everybody. */
  readonly to?: readonly string[]
  /** For a vote: the people who have voted. An answer then has an author, who is none of them. */
  readonly voted?: readonly string[]
  /**
   * Checks an answer beyond its schema; throws when it makes no sense. An answer that was given while the turn did not run is checked
   * when it goes on, and a new request is opened where that fails.
   */
  readonly check?: (answer: unknown) => void
  /** Called with its id once the request is told, for who answers by itself: at the topmost turn. */
  readonly onOpen?: (requestId: string) => void
}

/** The author of an answer, as the caller knows it: never a field of the answer. */
export interface AnswerOptions {
  /** The person who answers. Without it the answer is the owner's. */
  readonly by?: string | undefined
  /** The person whom the conversation belongs to, where the caller knows that. */
  readonly owner?: string | undefined
  /** True for a person who talks in the conversation as its owner does: questions that name nobody are put to them too. */
  readonly talks?: boolean | undefined
}

/** An answer that one process has to a question of another's turn. Plain JSON. */
export interface HandedAnswer {
  readonly requestId: string
  readonly answer: unknown
  readonly options: AnswerOptions
}

/** The answer to a request of the kind `permission`. */
export interface PermissionAnswer {
  /** Whether the call may run. */
  readonly decision: 'allow' | 'deny'
  /** How far the answer reaches. `once` by default. */
  readonly scope?: 'once' | 'conversation' | 'project' | 'always'
  /** The reason of a no, for the model. */
  readonly reason?: string
  /** The person changed the arguments. */
  readonly args?: unknown
  /** The pattern that a scope longer than once covers: one of those in the payload. */
  readonly pattern?: string
  /** Milliseconds for which a scope longer than once holds. */
  readonly expires?: number
  /** The number of calls for which a scope longer than once holds. */
  readonly uses?: number
  /** The person who answered, where that is known. `ask` gives it; an answer has no such field. */
  readonly by?: string
}

/** What a process needs to check an answer to a request that another one has opened. */
export interface AnswerTerms {
  /** The end of the wait, in milliseconds since 1970. Without it the question waits for ever. */
  readonly deadline?: number | undefined
  /** The JSON Schema that an answer has to fit. */
  readonly schema?: JsonSchema | undefined
  /** The people who may answer, beside the conversation's owner; `'*'` is everybody. */
  readonly to?: readonly string[] | undefined
  /** For a vote: the people who have voted. */
  readonly voted?: readonly string[] | undefined
  /** For a request that is opened again: the one before, and what was wrong with its answer. */
  readonly again?: { readonly requestId: string; readonly problem: string } | undefined
}

/** A question that waits for a person. */
export interface Request extends AnswerTerms {
  /** Names the request for `answer`. */
  readonly id: string
  /** The kind of question: `permission`, `continuation`, or one of your own. */
  readonly kind: string
  /** The data of the question, for whoever shows it. */
  readonly payload: unknown
  /** The turn that waits. */
  readonly turnId: string
  /** When the request was opened, in milliseconds since 1970. */
  readonly openedAt: number
}

/** The terms of a request, without those that it does not have. */
export function termsOf({ deadline, schema, to, voted, again }: AnswerTerms): AnswerTerms {
  return {
    ...(deadline === undefined ? {} : { deadline }),
    ...(schema ? { schema } : {}),
    ...(to ? { to } : {}),
    ...(voted ? { voted } : {}),
    ...(again ? { again } : {}),
  }
}

/** The answer that a fallback stands for: the word of a permission becomes its decision. */
export const readFallback = (kind: string, fallback: unknown): unknown =>
  kind === 'permission' && typeof fallback === 'string'
    ? { decision: fallback, reason: 'Nobody answered in time.' }
    : fallback
