import { type ErrorKind, messageOf, TurnbuckleError } from '../core/errors.ts'

/** A model call that failed, as retries and the error policy read it. */
export interface ProviderError extends TurnbuckleError {
  /** The HTTP status. */
  readonly status?: number
  /** How long the provider asked to wait. */
  readonly retryAfterMs?: number
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
}

interface Failure {
  readonly code: string
  readonly message: string
  readonly kind?: ErrorKind
  readonly status?: number | undefined
  readonly retryAfterMs?: number | undefined
  readonly retryable: boolean
  readonly cause?: unknown
}

export function failure({ code, message, kind = 'model', cause, ...fields }: Failure): ProviderError {
  const error = new TurnbuckleError(code, message, { kind, cause })
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return Object.assign(error, known) as unknown as ProviderError
}

/** What providers throw (`APICallError` and its kin), or send in the middle of a stream. */
interface Thrown {
  readonly name?: string
  readonly type?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly statusCode?: unknown
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: unknown
  readonly isRetryable?: unknown
}

const statusByType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  api_error: 500,
  server_error: 500,
  overloaded_error: 529,
}

const overflow =
  /context[ _-]?(length|window)|maximum context|prompt is too long|too many (input )?tokens|input token count.*exceed|exceeds.*context/i

/** Makes a provider's error one of ours. Keeps the status and what the provider said about waiting. */
export function providerError(error: unknown, model: string): unknown {
  if (error instanceof TurnbuckleError) return error
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Thrown
  if (thrown.name === 'AbortError') return error
  const said = typeof thrown.message === 'string' ? thrown.message : messageOf(error)
  const status =
    typeof thrown.statusCode === 'number' ? thrown.statusCode : statusByType[String(thrown.type ?? thrown.code)]
  const body = typeof thrown.responseBody === 'string' ? thrown.responseBody : ''
  const { code, hint } = codeOf(thrown, status, `${said} ${body} ${String(thrown.code ?? '')}`)
  return failure({
    code,
    message: `${model}${status === undefined ? '' : ` answered ${status}`}: ${said}${hint}`,
    kind: status === 429 ? 'rateLimit' : thrown.name === 'TimeoutError' ? 'timeout' : 'model',
    status,
    retryAfterMs: retryAfterMs(thrown.responseHeaders),
    retryable:
      code !== 'model.overflow' && (thrown.isRetryable === true || (status !== undefined && isPassing(status))),
    cause: error,
  })
}

const isPassing = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500

function codeOf(thrown: Thrown, status: number | undefined, said: string): { code: string; hint: string } {
  if ((status === undefined || status === 400 || status === 413) && overflow.test(said))
    return { code: 'model.overflow', hint: '' }
  if (status === 401 || status === 403) return { code: 'model.refused', hint: ' Check the API key.' }
  if (status === 404) return { code: 'model.unknown', hint: ' Check the model name and the endpoint.' }
  if (status === 429) return { code: 'model.rateLimited', hint: '' }
  if (status === 529 || status === 503) return { code: 'model.overloaded', hint: '' }
  if (status !== undefined) return { code: status >= 500 ? 'model.failed' : 'model.invalid', hint: '' }
  const name = String(thrown.name)
  if (name.includes('UnsupportedFunctionality')) return { code: 'model.unsupported', hint: '' }
  if (name.includes('JSONParse') || name.includes('TypeValidation') || name.includes('InvalidResponse'))
    return { code: 'model.garbled', hint: '' }
  return { code: thrown.isRetryable === true ? 'model.unreachable' : 'model.failed', hint: '' }
}

/** Milliseconds, seconds, or a date. */
export function retryAfterMs(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const ms = Number(headers?.['retry-after-ms'] || Number.NaN)
  if (ms >= 0) return ms
  const after = headers?.['retry-after']
  if (!after) return undefined
  const seconds = Number(after)
  const wait = Number.isNaN(seconds) ? Date.parse(after) - Date.parse(headers?.date ?? '') : seconds * 1000
  return wait >= 0 ? wait : undefined
}
