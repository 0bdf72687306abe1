import type { McpServerFactory, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'

type Sdk = typeof import('@modelcontextprotocol/server')

/** The most sessions at once; the one that was quiet for longest goes. */
const most = 1000

/**
 * The sessions of clients that speak a revision of 2025 over HTTP. A server can ask such a client something only inside a session. One that
 * begins none is served request by request, and cannot be asked.
 */
export class HttpSessions {
  readonly #sdk: Sdk
  readonly #factory: McpServerFactory
  /** By id, in the order of their last request. */
  readonly #sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

  constructor(sdk: Sdk, factory: McpServerFactory) {
    this.#sdk = sdk
    this.#factory = factory
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return (await this.#begins(request)) ? this.#begin(request) : this.#once(request)
    const session = this.#sessions.get(id)
    if (!session) return unknownSession()
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return session.handleRequest(request)
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#sessions.values(), session => session.close()))
  }

  async #begins(request: Request): Promise<boolean> {
    if (request.method !== 'POST') return false
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => undefined)
    return [body].flat().some(message => this.#sdk.isInitializeRequest(message))
  }

  async #begin(request: Request): Promise<Response> {
    const { WebStandardStreamableHTTPServerTransport: Transport } = this.#sdk
    const session: WebStandardStreamableHTTPServerTransport = new Transport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: async id => {
        this.#sessions.set(id, session)
        const [oldest] = this.#sessions.keys()
        if (oldest !== undefined && this.#sessions.size > most) await this.#sessions.get(oldest)?.close()
      },
    })
    const server = await this.#factory({ era: 'legacy', requestInfo: request })
    await server.connect(session)
    const { onclose } = session
    session.onclose = () => {
      onclose?.()
      if (session.sessionId !== undefined) this.#sessions.delete(session.sessionId)
    }
    return session.handleRequest(request)
  }

  #once(request: Request): Promise<Response> {
    return this.#sdk.legacyStatelessFallback(this.#factory)(request)
  }
}

const unknownSession = (): Response =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'There is no such session: begin a new one.' } },
    { status: 404 },
  )
