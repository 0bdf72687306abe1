import { isTurnbuckleError } from '../../base/is-turnbuckle-error.ts'

const codes = ['request.answered', 'request.expired', 'request.unknown']

/**
 * True for a refusal of an answer that only the log can confirm: a process that is about to leave its turn knows the request no more, and an
 * answer that another caller has given may still fail on its way to the log.
 */
export const isHearsay = (error: unknown): boolean => isTurnbuckleError(error) && codes.includes(error.code)
