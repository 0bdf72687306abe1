import {
  type ErrorKind,
  isHookError,
  isInterrupted,
  isTurnbuckleError,
  membersOf,
  messageOf,
} from '../core/base/errors.ts'
import { announcedSleep } from '../core/context/announced-sleep.ts'
import { redactedText } from '../core/context/redacted-text.ts'
import type { Context, WrapContext } from '../core/hooks/hook-types.ts'
import { errorKindIn } from '../core/stages/built-in-stages.ts'
import type { Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** When a failed attempt is tried again, and after how long. */
export interface BackoffOptions {
  /** Attempts after the first. 2 by default. */
  readonly times?: number
  /** Attempts after the first for one kind of error, instead of `times`. */
  readonly kinds?: Readonly<Partial<Record<ErrorKind, number>>>
  /** The wait before the first retry, in milliseconds; each further one is `factor` times as long. 500 by default. */
  readonly baseMs?: number
  /** 2 by default. */
  readonly factor?: number
  /** The longest wait. 30 seconds by default. */
  readonly maxMs?: number
  /** The share of a wait that chance may take away, so that clients do not come back all at once. 0.5 by default. */
  readonly jitter?: number
  /** A server's Retry-After is obeyed up to this long; one that asks for more is not retried. A minute by default. */
  readonly maxRetryAfterMs?: number
  /** True for an error that is worth another attempt. By default those that a later attempt may put right. */
  readonly when?: (error: unknown) => boolean
  /** Gives random numbers from 0 to 1, for the jitter. */
  readonly random?: () => number
}

export const backoffShape = (): Shape<BackoffOptions> => ({
  times: is.number(0),
  kinds: is.record(is.number(0), is.errorKind()),
  baseMs: is.number(0),
  factor: is.number(1),
  maxMs: is.number(0),
  jitter: is.share,
  maxRetryAfterMs: is.number(0),
  when: is.run,
  random: is.run,
})

/** The context of a wrap; around a model it can withdraw what an attempt has shown. */
type Trying = Context & Partial<Pick<WrapContext<'model'>, 'withdraw'>>

type Failures = Map<ErrorKind, number>

/** When to try again, and after how long. */
export class Backoff {
  readonly #options: Required<BackoffOptions>

  constructor(options: BackoffOptions) {
    const { times = 2, kinds = {}, baseMs = 500, factor = 2, maxMs = 30_000, jitter = 0.5 } = options
    const { maxRetryAfterMs = 60_000, when = mayPass, random = Math.random } = options
    this.#options = { times, kinds, baseMs, factor, maxMs, jitter, maxRetryAfterMs, when, random }
  }

  /** Throws the last error unchanged. Waits on the turn's clock; an interrupt, or a wrap around it giving up, ends it. */
  run<Result>(ctx: Trying, attempt: () => Promise<Result>): Promise<Result> {
    return attempt().catch(error => this.#again(ctx, attempt, error))
  }

  async #again<Result>(ctx: Trying, attempt: () => Promise<Result>, first: unknown): Promise<Result> {
    const failures: Failures = new Map()
    let error = first
    for (let made = 1; ; made++) {
      const delayMs = this.#wait(ctx, error, failures, made)
      if (delayMs === undefined) throw error
      ctx.withdraw?.('it failed, and is tried again')
      const told = redactedText(ctx, messageOf(error))
      ctx.emit({ type: 'retry.waiting', stage: ctx.stage, attempt: made, delayMs, error: told })
      // When it is called off, the next attempt says why.
      await announcedSleep(ctx, delayMs).catch(() => {})
      try {
        return await attempt()
      } catch (next) {
        error = next
      }
    }
  }

  /** Milliseconds, or nothing when that was the last attempt. */
  #wait(ctx: Trying, error: unknown, failures: Failures, made: number): number | undefined {
    const { times, kinds, baseMs, factor, maxMs, jitter, maxRetryAfterMs, when, random } = this.#options
    if (isHookError(error) || isInterrupted(error) || !when(error) || ctx.signal.aborted) return undefined
    const kind = errorKindIn(error, ctx.stage)
    const failed = (failures.get(kind) ?? 0) + 1
    failures.set(kind, failed)
    const most = kinds[kind] ?? times
    if (failed > most || made > Math.max(most, times)) return undefined
    const asked = retryAfter(error, ctx.clock.now())
    if (asked !== undefined) return asked > maxRetryAfterMs ? undefined : asked
    return Math.min(maxMs, baseMs * factor ** (made - 1)) * (1 - jitter * random())
  }
}

const passing: readonly number[] = [408, 409, 425, 429]
/** Codes of a quota that is used up: it comes with 429, like a rate limit, and no wait fills it. */
const usedUp: readonly string[] = ['insufficient_quota', 'billing_hard_limit_reached']

/** True for errors that a later attempt may put right: not a refused request, not a mistake of the program's own. */
function mayPass(error: unknown): boolean {
  const { retryable, isRetryable, status, statusCode, name, code: reason } = membersOf(error)
  if (typeof retryable === 'boolean') return retryable
  if (isTurnbuckleError(error)) return error.kind !== undefined && error.kind !== 'validation'
  if (typeof reason === 'string' && usedUp.includes(reason)) return false
  if (typeof isRetryable === 'boolean') return isRetryable
  const code = Number(status ?? statusCode)
  return name !== 'AbortError' && (!(code >= 400 && code < 500) || passing.includes(code))
}

interface WithHeaders {
  readonly retryAfterMs?: unknown
  readonly headers?: unknown
  readonly responseHeaders?: unknown
  readonly response?: { readonly headers?: unknown }
}

/** The wait a server asked for, in milliseconds: `Retry-After` in seconds or as a date, or `retry-after-ms`. */
function retryAfter(error: unknown, now: number): number | undefined {
  try {
    return readRetryAfter(error, now)
  } catch {
    return undefined
  }
}
function readRetryAfter(error: unknown, now: number): number | undefined {
  const { headers, responseHeaders, response, retryAfterMs } = (error ?? {}) as WithHeaders
  if (typeof retryAfterMs === 'number') return retryAfterMs
  const found = responseHeaders ?? headers ?? response?.headers
  const ms = Number.parseFloat(header(found, 'retry-after-ms') ?? '')
  if (ms >= 0) return ms
  const said = header(found, 'retry-after')
  if (said === undefined) return undefined
  const seconds = Number(said)
  const wait = said.trim() !== '' && seconds >= 0 ? seconds * 1000 : Date.parse(said) - now
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

function header(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  return found === undefined ? undefined : String(found[1])
}
