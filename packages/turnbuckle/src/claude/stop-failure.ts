import { kindOf, membersOf, messageOf } from '../core/base/errors.ts'

/** Claude's words for errors of a model, by HTTP status. */
const byStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'authentication_failed',
  402: 'billing_error',
  403: 'authentication_failed',
  404: 'model_not_found',
  429: 'rate_limit',
  529: 'overloaded',
}

/** The members of `StopFailure` for the error that a turn ended with. */
export function stopFailureOf(error: unknown): {
  readonly error: string
  readonly error_details: string
  readonly last_assistant_message: string
} {
  const members = membersOf(error)
  const status = Number(members.status ?? members.statusCode)
  const known = byStatus[status] ?? (status >= 500 ? 'server_error' : undefined)
  const message = messageOf(error)
  return {
    error: known ?? (kindOf(error) === 'rateLimit' ? 'rate_limit' : 'unknown'),
    error_details: message,
    last_assistant_message: `API Error: ${message}`,
  }
}
