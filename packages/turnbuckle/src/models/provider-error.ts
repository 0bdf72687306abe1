import { type ErrorKind, messageOf, TurnbuckleError } from '../core/base/errors.ts'

/** A model call that failed, as retries and the error policy read it. */
export interface ProviderError extends TurnbuckleError {
  /** The HTTP status. */
  readonly status?: number
  /** Milliseconds that the provider asked to wait. */
  readonly retryAfterMs?: number
  /** True where the same request may succeed later. */
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

/** An error as providers throw it (`APICallError` and its kin), or send it in the middle of a stream. */
interface Thrown {
  readonly name?: string
  readonly type?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly statusCode?: unknown
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: unknown
  readonly isRetryable?: unknown
  readonly cause?: unknown
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
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Thrown
  if (error instanceof TurnbuckleError || thrown.name === 'AbortError') return error
  const said = saidBy(thrown) ?? messageOf(error)
  const status = statusOf(thrown)
  const code = codeOf(thrown, status, said)
  const waitMs = retryAfterMs(thrown.responseHeaders)
  const hint = `${hints[code] ?? ''}${longWait(waitMs)}`
  return failure({
    code,
    message: `${whatHappened(code, model, status)}: ${hint ? sentence(said) : said}${hint}`,
    kind: kinds[code] ?? (thrown.name === 'TimeoutError' ? 'timeout' : 'model'),
    status,
    retryAfterMs: waitMs,
    retryable: passing.has(code) || (!lasting.has(code) && (thrown.isRetryable === true || isPassing(status))),
    cause: error,
  })
}

/** A message of the AI SDK's that says nothing of what went wrong: its cause does. */
const empty = 'Failed to process successful response'

function saidBy({ message, cause }: Thrown): string | undefined {
  if (message === undefined || message === null) return undefined
  return message === empty && cause !== undefined ? messageOf(cause) : messageOf(message)
}

/** With a full stop, where the provider has set none: what follows is our sentence. */
const sentence = (said: string): string => (/[.!?:)\]}"']$/.test(said) ? said : `${said}.`)

/** A reply that began well and broke off is a cut connection, whatever its status was. */
function whatHappened(code: string, model: string, status: number | undefined): string {
  if (code === 'model.cut') return `The connection to ${model} was cut`
  if (code === 'model.unreachable') return `${model} cannot be reached`
  return status === undefined ? model : `${model} answered ${status}`
}

function codeOf(thrown: Thrown, status: number | undefined, said: string): string {
  const { responseBody, type, code } = thrown
  if (/insufficient_quota/.test(`${String(responseBody)} ${String(type)} ${String(code)}`)) return 'model.quota'
  if (isOverflow(status, `${said} ${String(thrown.responseBody)} ${String(thrown.code)}`)) return 'model.overflow'
  return status === undefined ? codeByName(thrown) : codeByStatus(status)
}

/** Milliseconds of a wait that `retry` does not make by default: the turn ends, and this says why. */
const longWaitMs = 60_000

const longWait = (ms = 0): string =>
  ms > longWaitMs ? ` It asks to be asked again in ${durationOf(ms)}, which is longer than a turn waits.` : ''

/** `90 seconds`, `60 minutes`, `5 hours`: in the largest unit of which there are at least two. */
function durationOf(ms: number): string {
  if (ms >= 7_200_000) return `${Math.round(ms / 3_600_000)} hours`
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(ms / 1000)} seconds`
}

const hints: Readonly<Record<string, string>> = {
  'model.refused': ' Check the API key.',
  'model.quota': ' The account has no credit left, so it is not tried again: look at its plan and billing.',
  'model.unknown': ' Check the model name and the endpoint.',
}
const passing: ReadonlySet<string> = new Set(['model.cut', 'model.garbled', 'model.unreachable'])
/** Failures that stay, whatever the status says: a used-up quota comes with 429, like a rate limit. */
const lasting: ReadonlySet<string> = new Set(['model.overflow', 'model.quota'])
const kinds: Readonly<Record<string, ErrorKind>> = { 'model.rateLimited': 'rateLimit' }

const statusOf = ({ statusCode, type, code }: Thrown): number | undefined =>
  typeof statusCode === 'number' ? statusCode : statusByType[String(type ?? code)]

const isOverflow = (status: number | undefined, said: string): boolean =>
  (status === undefined || status === 400 || status === 413) && overflow.test(said)

const isPassing = (status = 0): boolean => status === 408 || status === 409 || status === 429 || status >= 500

const codes: Readonly<Record<number, string>> = {
  401: 'model.refused',
  403: 'model.refused',
  404: 'model.unknown',
  429: 'model.rateLimited',
  503: 'model.overloaded',
  529: 'model.overloaded',
}
/** An error with a good status means that the reply began and could not be read. */
function codeByStatus(status: number): string {
  if (status < 400) return 'model.cut'
  return codes[status] ?? (status >= 500 ? 'model.failed' : 'model.invalid')
}

const lostConnection = /terminated|socket|network|fetch failed|ECONN|EPIPE|UND_ERR/i

function codeByName({ name = '', message, cause, isRetryable }: Thrown): string {
  if (name.includes('UnsupportedFunctionality')) return 'model.unsupported'
  if (/JSONParse|TypeValidation|InvalidResponse/.test(name)) return 'model.garbled'
  if (isRetryable === true) return 'model.unreachable'
  const code = (cause as { readonly code?: unknown } | undefined)?.code
  return lostConnection.test(`${String(message)} ${String(code)}`) ? 'model.cut' : 'model.failed'
}

/** Milliseconds, seconds, or a date. */
function retryAfterMs(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const ms = Number(headers?.['retry-after-ms'] || Number.NaN)
  if (ms >= 0) return ms
  const after = headers?.['retry-after']
  if (!after) return undefined
  const seconds = Number(after)
  const wait = Number.isNaN(seconds) ? Date.parse(after) - Date.parse(headers?.date ?? '') : seconds * 1000
  return wait >= 0 ? wait : undefined
}
