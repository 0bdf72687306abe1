import { createCaller, createFetcher } from './calls.ts'
import type { SharedConversation } from './wire.ts'

/** The reader of a read-only link. */
export interface SharedReader {
  /** The conversation, as far as it is shared, as it is now. */
  read(): Promise<SharedConversation>
  /** The bytes of a file of a message that is shared. */
  readFile(id: string): Promise<Blob>
}

/** Reads a read-only link with the link's own token, which opens nothing else. Each call rejects with a `ClientError`. */
export function sharedReader(options: {
  readonly url: string
  readonly shareId: string
  readonly token: string
  readonly fetch?: typeof fetch
}): SharedReader {
  const path = `/api/shared/${encodeURIComponent(options.shareId)}`
  const fetcher = createFetcher(options.url.replace(/\/$/, ''), options.token, options.fetch)
  const call = createCaller(fetcher)
  return {
    read: () => call('GET', path),
    readFile: async id => (await fetcher('GET', `${path}/files/${encodeURIComponent(id)}`)).blob(),
  }
}
