import { type Calls, type ClientError, createCalls, createFetcher, type Fetcher } from './calls.ts'
import { Connection, type ConnectionStatus, type SocketConstructor } from './connection.ts'
import { Followers, type FollowOptions } from './followers.ts'
import type { ConversationSummary, WireEvent } from './wire.ts'

/** The options of `createClient`. */
export interface ClientOptions {
  /** The server's address: `http://127.0.0.1:3000`. */
  readonly url: string
  /** The server's token. */
  readonly token: string
  /** Another `fetch`, where the platform's own does not fit. */
  readonly fetch?: typeof fetch
  /** Needed where the platform has none of its own: `import { WebSocket } from 'ws'` in Node 20. */
  readonly WebSocket?: SocketConstructor
}

/** A change in the list of conversations, as `watch` tells it. */
export type ListChange =
  /** A conversation is new, or its row has changed. */
  | { readonly type: 'conversation.changed'; readonly conversation: ConversationSummary }
  /** A conversation was deleted. */
  | { readonly type: 'conversation.deleted'; readonly conversationId: string }
  /** A question to this person, in somebody else's conversation, was opened or closed. */
  | { readonly type: 'requests.changed' }
  /** A middleware was switched, for everyone or in a conversation of this person. */
  | { readonly type: 'switches.changed' }

/** The connection to a Turnbuckle server: calls, and events as they happen. */
export interface Client extends Calls {
  /** Every event once and in order, across lost connections. Returns how to stop. */
  follow(conversationId: string, options: FollowOptions): () => void
  /** Tells of changes in the list of conversations. */
  watch(onChange: (change: ListChange) => void): () => void
  /** Whether there is a connection. */
  readonly status: ConnectionStatus
  /** Tells whenever the connection comes and goes. Returns how to stop. */
  onStatus(listener: (status: ConnectionStatus) => void): () => void
  /** Tries to connect now, without waiting for the next try. */
  reconnect(): void
  /** Ends the connection. */
  close(): void
}

const listChanges: ReadonlySet<string> = new Set(['requests.changed', 'switches.changed'])

/** Speaks to a Turnbuckle server. Works in browsers, Node, Bun and Deno. */
export function createClient(options: ClientOptions): Client {
  const url = options.url.replace(/\/$/, '')
  const fetcher = createFetcher(url, options.token, options.fetch)
  const watchers = new Set<(change: ListChange) => void>()
  const connection = new Connection({
    url,
    token: options.token,
    WebSocket: options.WebSocket ?? (globalThis as unknown as { WebSocket: SocketConstructor }).WebSocket,
    check: () => isWelcome(fetcher),
    onOpen() {
      if (watchers.size) connection.send({ type: 'watch' })
      followers.subscribeAll()
    },
    onFrame(frame) {
      const { type, conversationId } = frame as { type: string; conversationId?: string }
      if (type.startsWith('conversation.') || listChanges.has(type))
        for (const watcher of watchers) watcher(frame as unknown as ListChange)
      if (type !== 'reply' && conversationId) followers.tell(frame as unknown as WireEvent)
    },
  })
  const followers = new Followers(frame => connection.send(frame))
  return {
    ...createCalls(fetcher),
    follow(conversationId, followOptions) {
      connection.connect()
      return followers.add(conversationId, followOptions)
    },
    watch(onChange) {
      watchers.add(onChange)
      connection.connect()
      connection.send({ type: 'watch' })
      return () => watchers.delete(onChange)
    },
    get status() {
      return connection.status
    },
    onStatus: listener => connection.onStatus(listener),
    reconnect: () => connection.connect(),
    close: () => connection.close(),
  }
}

async function isWelcome(fetcher: Fetcher): Promise<boolean> {
  try {
    await fetcher('GET', '/api/conversations?limit=1')
    return true
  } catch (error) {
    return (error as ClientError).status !== 401
  }
}
