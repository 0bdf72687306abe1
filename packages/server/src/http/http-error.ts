import { isTurnbuckleError } from '../base/is-turnbuckle-error.ts'
import { storeFaults, withoutHolder } from '../base/store-faults.ts'

/** The HTTP status of each error code; any other code is answered with 500. */
const statuses: Readonly<Record<string, number>> = {
  'body.invalid': 400,
  'query.invalid': 400,
  'idempotency.invalid': 400,
  'token.invalid': 401,
  'host.foreign': 403,
  'origin.foreign': 403,
  'request.foreign': 403,
  'role.missing': 403,
  'conversation.missing': 404,
  'conversation.deleted': 404,
  'message.missing': 404,
  'turn.missing': 404,
  'request.unknown': 404,
  'middleware.unknown': 404,
  'permission.missing': 404,
  'person.missing': 404,
  'file.missing': 404,
  'share.missing': 404,
  'schedule.missing': 404,
  'settings.missing': 404,
  'provider.missing': 404,
  'trust.missing': 404,
  'route.missing': 404,
  'conversation.locked': 409,
  'turn.running': 409,
  'turn.ended': 409,
  'request.answered': 409,
  'person.exists': 409,
  'person.last': 409,
  'person.viewer': 409,
  'setting.fixed': 409,
  'trust.changed': 409,
  'request.expired': 410,
  'body.tooLarge': 413,
  'request.invalid': 422,
  'middleware.invalid': 422,
  'idempotency.mismatch': 422,
  'message.invalid': 422,
  'message.empty': 422,
  'import.invalid': 422,
  'store.missing': 422,
  'schedule.unsupported': 422,
  'schedule.tooMany': 422,
  'turn.failed': 500,
  'setting.invalid': 422,
  'model.unknown': 422,
  'model.key': 422,
  'model.endpoint': 422,
  'model.package': 422,
  'agent.closed': 503,
  'server.closing': 503,
  'engine.unreachable': 503,
  'store.fenced': 503,
}

export interface HttpError {
  readonly status: number
  readonly body: { readonly error: { readonly code: string; readonly message: string }; readonly decision?: unknown }
}

/** True for an answer about which whoever runs the server has something to do. */
export const isServersFault = ({ body: { error } }: HttpError): boolean =>
  error.code === 'server.error' || error.code in storeFaults

/** The answer to a client for an error. An unknown error is not described, and one of the store in fixed words: their texts may hold secrets. */
export function httpError(error: unknown): HttpError {
  const fault = isTurnbuckleError(error) ? storeFaults[error.code] : undefined
  if (isTurnbuckleError(error) && fault)
    return { status: fault.status, body: { error: { code: error.code, message: fault.message } } }
  const known = isTurnbuckleError(error) ? statuses[error.code] : undefined
  if (!isTurnbuckleError(error) || known === undefined)
    return { status: 500, body: { error: { code: 'server.error', message: 'Something went wrong in the server.' } } }
  const body = { error: { code: error.code, message: withoutHolder(error.message) } }
  return { status: known, body: error.code === 'request.answered' ? { ...body, decision: error.cause } : body }
}
