import { TurnbuckleError } from '../base/errors.ts'

export interface AskOptions {
  /** Milliseconds until the fallback; five minutes by default. `Infinity` waits for ever. */
  readonly timeout?: number
  /** The answer when nobody gives one. For permissions the word `'deny'` or `'allow'`. Without it `ask` rejects with `request.expired`. */
  readonly fallback?: unknown
  /** Checks an answer; throws when it makes no sense. */
  readonly check?: (answer: unknown) => void
  /** Called with its id once the request is told, for who answers by itself: at the topmost turn. */
  readonly onOpen?: (requestId: string) => void
}

export interface PermissionAnswer {
  readonly decision: 'allow' | 'deny'
  readonly scope?: 'once' | 'conversation' | 'project' | 'always'
  readonly reason?: string
  /** The person changed the arguments. */
  readonly args?: unknown
  readonly [more: string]: unknown
}

/** A question that waits for a person. */
export interface Request {
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  readonly turnId: string
  readonly openedAt: number
  readonly deadline?: number | undefined
}

const scopes: readonly unknown[] = ['once', 'conversation', 'project', 'always', undefined]

function checkPermission(answer: unknown): void {
  const { decision, scope } = (answer ?? {}) as { decision?: unknown; scope?: unknown }
  if ((decision !== 'allow' && decision !== 'deny') || !scopes.includes(scope))
    throw new Error('Expected { decision: "allow" | "deny", scope?: "once" | "conversation" | "project" | "always" }.')
}

/** Throws `request.invalid` where the answer does not fit the request: by the asker's check, or the one of its kind. */
export function checkAnswer(
  { kind }: Pick<Request, 'kind'>,
  answer: unknown,
  check: AskOptions['check'] = kind === 'permission' ? checkPermission : undefined,
): void {
  try {
    if (answer === undefined) throw new Error('The answer is empty.')
    check?.(answer)
  } catch (error) {
    throw new TurnbuckleError(
      'request.invalid',
      `That does not answer the ${kind} request. ${(error as Error).message}`,
    )
  }
}

/** The answer that a fallback stands for: the word of a permission becomes its decision. */
export const readFallback = (kind: string, fallback: unknown): unknown =>
  kind === 'permission' && typeof fallback === 'string'
    ? { decision: fallback, reason: 'Nobody answered in time.' }
    : fallback
