import { isTurnbuckleError } from './is-turnbuckle-error.ts'

export interface StoreFault {
  readonly status: number
  readonly message: string
}

/**
 * What the store refuses to do: who asks learns what is wrong in these words. The error's own, which name files and hosts of the server, are
 * for whoever runs it.
 */
export const storeFaults: Readonly<Record<string, StoreFault>> = {
  'store.full': { status: 507, message: 'The server has no space left to store this.' },
  'store.readonly': { status: 503, message: 'The server may not write to its store.' },
  'store.unwritable': { status: 503, message: 'The server cannot write to its store.' },
  'store.unreachable': { status: 503, message: 'The server cannot reach its store.' },
  'store.locked': { status: 503, message: 'Another program has locked the server’s store. Try again.' },
  'store.damaged': { status: 503, message: 'The server’s store is damaged.' },
  'store.failed': { status: 503, message: 'The server’s store has failed.' },
}

/**
 * What a client is told of a store that has failed, with its code. An error without a code of Turnbuckle's counts as the store's; one with
 * a code that is not among `storeFaults` has no such words.
 */
export function storeFaultWords(error: unknown): string | undefined {
  if (!isTurnbuckleError(error)) return wordsOfFault('store.failed')
  return error.code in storeFaults ? wordsOfFault(error.code) : undefined
}

/** The words of an error that says who holds a conversation, without the name of the machine and its process. */
export const withoutHolder = (message: string): string =>
  message.replace(/^Another process \([^)]*\)/, 'Another process')

/** As `storeFaultWords`, of a code. */
export const wordsOfFault = (code: string): string | undefined => {
  const fault = storeFaults[code]
  return fault && `${fault.message} (${code})`
}
