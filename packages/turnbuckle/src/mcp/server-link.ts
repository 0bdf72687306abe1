import type { Client } from '@modelcontextprotocol/client'
import { messageOf, TurnbuckleError } from '../core/base/errors.ts'
import type { Definition } from './pins.ts'
import {
  type Connected,
  type ConnectorOptions,
  type McpRoot,
  type McpServer,
  ServerConnector,
} from './server-connector.ts'
import { ServerQuestions } from './server-questions.ts'

export interface LinkOptions extends ConnectorOptions {
  /** Milliseconds for one request. */
  readonly timeout: number
  readonly roots: () => readonly McpRoot[] | undefined
}

/** The state of the connection to an MCP server. */
export type LinkStatus = 'connecting' | 'ready' | 'failed' | 'closed'

/** The connection to one server. A server that died is started again by the next request; one that hangs is ended. */
export class ServerLink {
  readonly name: string
  readonly questions: ServerQuestions
  readonly #options: LinkOptions
  readonly #listed: (link: ServerLink) => Promise<void>
  readonly #connector: ServerConnector
  definitions: readonly Definition[] = []
  hasResources = false
  error: string | undefined
  #connected: Promise<Connected> | undefined
  #isReady = false
  #closed = false
  /** Work that still goes on in the background; closing the link waits for it. */
  readonly #pending = new Set<Promise<unknown>>()

  constructor(name: string, server: McpServer, options: LinkOptions, listed: (link: ServerLink) => Promise<void>) {
    this.name = name
    this.questions = new ServerQuestions(name)
    this.#options = options
    this.#listed = listed
    this.#connector = new ServerConnector(name, server, options, {
      questions: this.questions,
      roots: options.roots,
      onTools: tools => this.#inBackground(this.#take(tools)),
    })
  }

  get status(): LinkStatus {
    if (this.#closed) return 'closed'
    if (this.error !== undefined || !this.#connected) return 'failed'
    return this.#isReady ? 'ready' : 'connecting'
  }
  /** Milliseconds for one request. */
  get timeout(): number {
    return this.#options.timeout
  }
  get roots(): readonly McpRoot[] {
    return this.#options.roots() ?? []
  }

  /** Connects. Throws what went wrong, and may be called again. */
  async open(): Promise<void> {
    await this.#open()
  }
  #open(): Promise<Connected> {
    if (this.#closed) throw new TurnbuckleError('mcp.closed', `The connection to "${this.name}" was closed.`)
    if (!this.#connected) {
      const opening = this.#connect()
      this.#connected = opening
      opening.catch(error => this.#lost(opening, messageOf(error)))
    }
    return this.#connected
  }

  /** A request, with a time limit. A server that does not answer it is looked after; one that wants a sign-in gets it. */
  async request<Answer>(
    ask: (client: Client, limit: { readonly timeout: number }) => Promise<Answer>,
  ): Promise<Answer> {
    const opened = this.#open()
    const { client, transport } = await opened
    const { timeout } = this
    try {
      return await this.#signedIn(transport, () => ask(client, { timeout }))
    } catch (error) {
      if (!isTimeout(error)) throw error
      this.#inBackground(this.#endIfHanging(opened))
      const text = `"${this.name}" did not answer in ${timeout} ms.`
      throw new TurnbuckleError('mcp.timeout', text, { kind: 'timeout', cause: error })
    }
  }

  /** Asks again when a person has signed in, where the server wants that: also one that has moved to another authorization server since. */
  async #signedIn<Answer>(transport: Connected['transport'], ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask()
    } catch (error) {
      if (!this.#connector.canSignIn(error)) throw error
      await this.#connector.signIn(transport)
      return ask()
    }
  }

  /** Tells the server that it may work in other folders now. */
  async tellRoots(): Promise<void> {
    if (this.status === 'ready') await this.request(client => client.sendRootsListChanged()).catch(() => {})
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#connector.close()
    await this.#connected?.then(({ client }) => client.close()).catch(() => {})
    await Promise.allSettled(this.#pending)
  }

  async #connect(): Promise<Connected> {
    const connected = await this.#connector.connect()
    const { client, transport } = connected
    try {
      const opened = this.#connected
      client.onclose = () => this.#lost(opened, `"${this.name}" is gone.`)
      const offers = client.getServerCapabilities()
      const timeout = this.#options.connectTimeout
      const list = async () => (await client.listTools(undefined, { timeout })).tools
      const tools = offers?.tools ? await this.#signedIn(transport, list) : []
      this.error = undefined
      this.hasResources = offers?.resources !== undefined
      this.#isReady = true
      await this.#take(tools)
      return connected
    } catch (error) {
      await client.close().catch(() => {})
      const text = `"${this.name}" could not be reached: ${messageOf(error)}`
      throw new TurnbuckleError('mcp.unreachable', text, { cause: error })
    }
  }

  async #take(tools: readonly Definition[]): Promise<void> {
    this.definitions = tools
    await this.#listed(this)
  }

  #lost(which: Promise<Connected> | undefined, error: string): void {
    if (this.#connected !== which) return
    this.#connected = undefined
    this.#isReady = false
    this.error = error
  }

  /** A server that does not even answer a ping is ended; the next request starts it anew. */
  async #endIfHanging(opened: Promise<Connected>): Promise<void> {
    const { client } = await opened
    try {
      const options = { timeout: Math.min(5000, this.timeout) }
      await (client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options))
    } catch {
      // Ending it takes a while: a call in between must not get the one that is going.
      this.#lost(opened, `"${this.name}" did not answer and was ended.`)
      await client.close()
    }
  }
  #inBackground(work: Promise<unknown>): void {
    const tracked = work.catch(() => {}).finally(() => this.#pending.delete(tracked))
    this.#pending.add(tracked)
  }
}

const isTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'REQUEST_TIMEOUT'
