/** The kinds of error that an error policy tells apart. */
export type ErrorKind =
  | 'model'
  | 'rateLimit'
  | 'timeout'
  | 'tool'
  | 'toolBlocked'
  | 'validation'
  | 'hook'
  | 'store'
  | 'unknown'

/** Every kind of error. A record, so that one that is forgotten is a type error. */
const kindsOfError: Readonly<Record<ErrorKind, true>> = {
  model: true,
  rateLimit: true,
  timeout: true,
  tool: true,
  toolBlocked: true,
  validation: true,
  hook: true,
  store: true,
  unknown: true,
}
export const errorKinds: readonly string[] = Object.keys(kindsOfError)

/** The effect of an error of each kind on the turn, once no hook has handled it. */
export type ErrorPolicy = Readonly<Partial<Record<ErrorKind, 'stop' | 'ignore'>>>

export interface ErrorDetails {
  readonly cause?: unknown
  readonly kind?: ErrorKind
  /** The middleware whose hook failed, and the hook: `beforeTool`. */
  readonly by?: string
  readonly at?: string
}

/** The one error class. `code` is `noun.problem`; the message names the fix. */
export class TurnbuckleError extends Error {
  /** The name of the class. */
  override readonly name = 'TurnbuckleError'
  /** `noun.problem`: stable, for programs. */
  readonly code: string
  /** The kind that an error policy goes by. */
  readonly kind: ErrorKind | undefined
  /** The middleware whose hook failed. */
  readonly by: string | undefined
  /** The hook that failed: `beforeTool`. */
  readonly at: string | undefined

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.kind = details.kind
    this.by = details.by
    this.at = details.at
  }
}

/** As `instanceof`, also for a value that does not let itself be looked at: a revoked proxy. */
export function isTurnbuckleError(error: unknown): error is TurnbuckleError {
  try {
    return error instanceof TurnbuckleError
  } catch {
    return false
  }
}

/** For what the types would have refused: plain JavaScript hears of it where it was written, with the fix. */
export function demand(fits: unknown, code: string, message: string): asserts fits {
  if (!fits) throw new TurnbuckleError(code, message)
}

/** A hook's own failure. Retries let it pass: hooks never handle each other's errors. */
export const isHookError = (error: unknown): error is TurnbuckleError =>
  isTurnbuckleError(error) && error.kind === 'hook'

export const interrupted = (): TurnbuckleError => new TurnbuckleError('turn.interrupted', 'The turn was interrupted.')

export const isInterrupted = (error: unknown): boolean => isTurnbuckleError(error) && error.code === 'turn.interrupted'

export const isStopped = (error: unknown): boolean =>
  isTurnbuckleError(error) && (error.code === 'generate.stopped' || error.code === 'stage.stopped')

/** The message of a thrown value, also where that is no Error, or one whose members cannot be read. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message } = membersOf(error)
  if (typeof message === 'string') return message
  try {
    return JSON.stringify(error) ?? String(error)
  } catch {
    return wordsOf(error)
  }
}
function wordsOf(error: object): string {
  try {
    return String(error)
  } catch {
    return 'An error that cannot be read was thrown.'
  }
}

const told = ['message', 'name', 'code', 'status', 'statusCode', 'retryable', 'isRetryable'] as const
type ErrorMembers = { readonly [Member in (typeof told)[number]]?: unknown }

/** The members of a thrown value that say what it is. One whose getter throws is left out: any code may have thrown it. */
export function membersOf(error: unknown): ErrorMembers {
  const members: { -readonly [Member in keyof ErrorMembers]: unknown } = {}
  if (error === null || error === undefined) return members
  for (const name of told)
    try {
      members[name] = (error as ErrorMembers)[name]
    } catch {}
  return members
}

/** The kind an error has by itself, or else that of the stage it was thrown in. */
export function kindOf(error: unknown, ofStage: ErrorKind = 'unknown'): ErrorKind {
  if (isTurnbuckleError(error) && error.kind) return error.kind
  const { status, statusCode, name } = membersOf(error)
  if (status === 429 || statusCode === 429) return 'rateLimit'
  if (name === 'TimeoutError') return 'timeout'
  return ofStage
}

/** `beforeTol` → `beforeTool`: the closest of the known names, for messages that name the fix. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  const wanted = String(word).toLowerCase()
  let distance = Math.max(2, wanted.length / 3) + 1
  for (const candidate of known) {
    const d = editDistance(wanted, candidate.toLowerCase())
    if (d < distance) {
      distance = d
      best = candidate
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
