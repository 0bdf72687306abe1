import { createCaller, createFetcher } from './calls.ts'
import type { SharedConversation } from './wire.ts'

/** The reader of a read-only link. */
export interface SharedReader {
  /** The conversation, as far as it is shared, as it is now; or that of a sub-agent of it, by its id. */
  read(agent?: string): Promise<SharedConversation>
  /** The bytes of a file of a message that is shared, or that a sub-agent has. */
  readFile(id: string, agent?: string): Promise<Blob>
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
    read: agent => call('GET', path + query(agent)),
    readFile: async (id, agent) =>
      (await fetcher('GET', `${path}/files/${encodeURIComponent(id)}${query(agent)}`)).blob(),
  }
}

const query = (agent: string | undefined): string => (agent === undefined ? '' : `?agent=${encodeURIComponent(agent)}`)
