import { Connection, type ConnectionStatus, type SocketConstructor } from './connection.ts'
import type {
  ConversationSummary,
  NewTurn,
  SearchHit,
  StoredPermission,
  WireConversation,
  WireDecision,
  WireEvent,
  WireMiddleware,
  WireNode,
  WireTrace,
} from './wire.ts'

export interface ClientOptions {
  /** The server's address: `http://127.0.0.1:3000`. */
  readonly url: string
  readonly token: string
  readonly fetch?: typeof fetch
  /** Needed where the platform has none of its own: `import { WebSocket } from 'ws'` in Node 20. */
  readonly WebSocket?: SocketConstructor
}

/** What the server refused, with its code, `noun.problem`. `server.unreachable`: there was no answer. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly code: string
  readonly status: number
  /** For `request.answered`: what was decided. */
  readonly decision: unknown

  constructor(code: string, message: string, status: number, decision?: unknown) {
    super(message)
    this.code = code
    this.status = status
    this.decision = decision
  }
}

export type ListChange =
  | { readonly type: 'conversation.changed'; readonly conversation: ConversationSummary }
  | { readonly type: 'conversation.deleted'; readonly conversationId: string }

export interface FollowOptions {
  readonly after: number
  /** Also the spans of stages and hooks, as they begin and end. */
  readonly trace?: boolean
  readonly onEvent: (event: WireEvent) => void
}

export interface Client {
  /** The same `key` makes one conversation. */
  createConversation(title?: string, key?: string): Promise<{ id: string; head: string | null }>
  listConversations(page?: { limit?: number; before?: string }): Promise<readonly ConversationSummary[]>
  conversation(id: string): Promise<WireConversation>
  changeConversation(id: string, change: { title?: string; head?: string }): Promise<ConversationSummary>
  deleteConversation(id: string): Promise<void>
  exportConversation(
    id: string,
  ): Promise<{ id: string; title: string; head: string | null; nodes: readonly WireNode[] }>
  hideMessage(conversationId: string, messageId: string): Promise<void>
  search(query: string): Promise<readonly SearchHit[]>
  /** The same `key` never makes a second turn. */
  send(conversationId: string, turn: NewTurn, key?: string): Promise<{ turnId: string; seq: number }>
  interrupt(turnId: string, reason?: string): Promise<void>
  interject(turnId: string, text: string): Promise<void>
  answer(requestId: string, answer: unknown): Promise<void>
  explain(turnId: string): Promise<readonly WireDecision[]>
  trace(turnId: string): Promise<WireTrace>
  middleware(): Promise<readonly WireMiddleware[]>
  switchMiddleware(name: string, enabled: boolean): Promise<WireMiddleware>
  permissions(): Promise<readonly StoredPermission[]>
  revokePermission(id: string): Promise<void>
  /** Every event once and in order, across lost connections. Returns how to stop. */
  follow(conversationId: string, options: FollowOptions): () => void
  /** What happens in the list of conversations. */
  watch(onChange: (change: ListChange) => void): () => void
  readonly status: ConnectionStatus
  onStatus(listener: (status: ConnectionStatus) => void): () => void
  /** Tries to connect now, without waiting for the next try. */
  reconnect(): void
  close(): void
}

interface Followed {
  readonly options: FollowOptions
  last: number
}

/** Speaks to a Turnbuckle server. Works in browsers, Node, Bun and Deno. */
export function createClient(options: ClientOptions): Client {
  const url = options.url.replace(/\/$/, '')
  const call = createCaller(url, options)
  const followed = new Map<string, Set<Followed>>()
  const watchers = new Set<(change: ListChange) => void>()
  const subscribe = (conversationId: string): void => {
    const all = [...(followed.get(conversationId) ?? [])]
    if (!all.length) return
    const after = Math.min(...all.map(({ last }) => last))
    connection.send({ type: 'subscribe', conversationId, after, trace: all.some(one => one.options.trace) })
  }
  const connection = new Connection({
    url,
    token: options.token,
    WebSocket: options.WebSocket ?? (globalThis as unknown as { WebSocket: SocketConstructor }).WebSocket,
    check: () => isWelcome(call),
    onOpen() {
      if (watchers.size) connection.send({ type: 'watch' })
      for (const id of followed.keys()) subscribe(id)
    },
    onFrame(frame) {
      const { type, conversationId } = frame as { type: string; conversationId?: string }
      if (type.startsWith('conversation.')) for (const watcher of watchers) watcher(frame as unknown as ListChange)
      if (type !== 'reply' && conversationId)
        for (const one of followed.get(conversationId) ?? []) deliver(one, frame as unknown as WireEvent, subscribe)
    },
  })
  return {
    ...createCalls(call),
    follow(conversationId, followOptions) {
      const one: Followed = { options: followOptions, last: followOptions.after }
      const all = followed.get(conversationId) ?? new Set()
      followed.set(conversationId, all.add(one))
      connection.connect()
      subscribe(conversationId)
      return () => {
        all.delete(one)
        if (all.size || !followed.delete(conversationId)) return
        connection.send({ type: 'unsubscribe', conversationId })
      }
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

/** What came already is dropped; after a gap the rest is asked for again. */
function deliver(one: Followed, event: WireEvent, subscribe: (conversationId: string) => void): void {
  const { seq } = event as { readonly seq?: number }
  if (event.type === 'resync') one.last = event.seq
  else if (seq !== undefined) {
    if (seq <= one.last) return
    if (seq > one.last + 1) {
      subscribe(event.conversationId)
      return
    }
    one.last = seq
  }
  one.options.onEvent(event)
}

type Caller = (method: string, path: string, body?: unknown, key?: string) => Promise<never>

function createCaller(url: string, { token, fetch: given }: ClientOptions): Caller {
  return async (method, path, body, key) => {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (key !== undefined) headers['idempotency-key'] = key
    const fetching = (given ?? fetch)(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const response = await fetching.catch(() => {
      throw new ClientError('server.unreachable', 'The server does not answer.', 0)
    })
    const text = await response.text()
    if (response.ok) return (text ? JSON.parse(text) : undefined) as never
    throw refusal(response.status, text)
  }
}

function refusal(status: number, text: string): ClientError {
  try {
    const { error, decision } = JSON.parse(text) as { error: { code: string; message: string }; decision?: unknown }
    return new ClientError(error.code, error.message, status, decision)
  } catch {
    return new ClientError('server.error', `The server answered with ${status}.`, status)
  }
}

async function isWelcome(call: Caller): Promise<boolean> {
  try {
    await call('GET', '/api/conversations?limit=1')
    return true
  } catch (error) {
    return (error as ClientError).status !== 401
  }
}

type Calls = Omit<Client, 'follow' | 'watch' | 'status' | 'onStatus' | 'reconnect' | 'close'>

function createCalls(call: Caller): Calls {
  const at = (id: string, rest = '') => `/api/conversations/${encodeURIComponent(id)}${rest}`
  const turn = (id: string, what: string) => `/api/turns/${encodeURIComponent(id)}/${what}`
  return {
    createConversation: (title, key) => call('POST', '/api/conversations', title ? { title } : {}, key),
    async listConversations({ limit = 100, before } = {}) {
      const cursor = before ? `&before=${encodeURIComponent(before)}` : ''
      const { conversations } = await call('GET', `/api/conversations?limit=${limit}${cursor}`)
      return conversations
    },
    conversation: id => call('GET', at(id)),
    changeConversation: (id, change) => call('PATCH', at(id), change),
    deleteConversation: id => call('DELETE', at(id)),
    exportConversation: id => call('GET', at(id, '/export')),
    hideMessage: (id, messageId) => call('DELETE', at(id, `/messages/${encodeURIComponent(messageId)}`)),
    search: async query => pick(await call('GET', `/api/search?q=${encodeURIComponent(query)}`), 'results'),
    send: (id, body, key) => call('POST', at(id, '/turns'), body, key),
    interrupt: (id, reason) => call('POST', turn(id, 'interrupt'), reason ? { reason } : {}),
    interject: (id, text) => call('POST', turn(id, 'interject'), { text }),
    answer: (id, answer) => call('POST', `/api/requests/${encodeURIComponent(id)}/answer`, answer),
    explain: async id => pick(await call('GET', turn(id, 'explain')), 'decisions'),
    trace: id => call('GET', turn(id, 'trace')),
    middleware: async () => pick(await call('GET', '/api/middleware'), 'middleware'),
    switchMiddleware: (name, enabled) => call('PATCH', `/api/middleware/${encodeURIComponent(name)}`, { enabled }),
    permissions: async () => pick(await call('GET', '/api/permissions'), 'permissions'),
    revokePermission: id => call('DELETE', `/api/permissions/${encodeURIComponent(id)}`),
  }
}

const pick = (from: Record<string, never>, key: string): never => from[key] as never
