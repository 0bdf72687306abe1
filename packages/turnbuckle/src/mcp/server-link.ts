import type { Client, Transport } from '@modelcontextprotocol/client'
import { messageOf, TurnbuckleError } from '../core/base/errors.ts'
import { load } from './load.ts'
import type { Definition } from './pins.ts'
import { version } from './version.ts'

/** A server that is started, or one that is reached at an address. */
export type McpServer =
  | {
      readonly command: string
      readonly args?: readonly string[]
      /** Added to a small safe environment: the program's own keys are not passed on. */
      readonly env?: Readonly<Record<string, string>>
      readonly cwd?: string
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

export interface LinkOptions {
  /** Milliseconds for one request. */
  readonly timeout: number
  /** Milliseconds to connect. */
  readonly connectTimeout: number
}

/** The state of the connection to an MCP server. */
export type LinkStatus = 'connecting' | 'ready' | 'failed' | 'closed'

/** The connection to one server. A server that died is started again by the next request; one that hangs is ended. */
export class ServerLink {
  readonly name: string
  readonly #server: McpServer
  readonly #options: LinkOptions
  readonly #listed: (link: ServerLink) => Promise<void>
  definitions: readonly Definition[] = []
  hasResources = false
  error: string | undefined
  #client: Promise<Client> | undefined
  /** The transport of a connection that is not made yet: closing it ends the attempt. */
  #opening: Transport | undefined
  #connected = false
  #closed = false
  /** Work that still goes on in the background; closing the link waits for it. */
  readonly #pending = new Set<Promise<unknown>>()

  constructor(name: string, server: McpServer, options: LinkOptions, listed: (link: ServerLink) => Promise<void>) {
    this.name = name
    this.#server = server
    this.#options = options
    this.#listed = listed
  }

  get status(): LinkStatus {
    if (this.#closed) return 'closed'
    if (this.error !== undefined || !this.#client) return 'failed'
    return this.#connected ? 'ready' : 'connecting'
  }

  /** The client, connected. Throws what went wrong, and may be called again. */
  client(): Promise<Client> {
    if (this.#closed) throw new TurnbuckleError('mcp.closed', `The connection to "${this.name}" was closed.`)
    if (!this.#client) {
      const opening = this.#open()
      this.#client = opening
      opening.catch(error => this.#lost(opening, messageOf(error)))
    }
    return this.#client
  }

  /** A request, with a time limit. A server that does not answer it is looked after. */
  async request<Answer>(
    ask: (client: Client, limit: { readonly timeout: number }) => Promise<Answer>,
  ): Promise<Answer> {
    const opened = this.client()
    const client = await opened
    const { timeout } = this.#options
    try {
      return await ask(client, { timeout })
    } catch (error) {
      if (!isTimeout(error)) throw error
      this.#inBackground(this.#endIfHanging(opened))
      const text = `"${this.name}" did not answer in ${timeout} ms.`
      throw new TurnbuckleError('mcp.timeout', text, { kind: 'timeout', cause: error })
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#opening?.close().catch(() => {})
    await this.#client?.then(client => client.close()).catch(() => {})
    await Promise.allSettled(this.#pending)
  }

  async #open(): Promise<Client> {
    const { Client } = await load('@modelcontextprotocol/client', () => import('@modelcontextprotocol/client'))
    const transport = await this.#transport()
    this.#opening = transport
    const onChanged = (_error: unknown, tools: readonly Definition[] | null) => {
      if (tools) this.#inBackground(this.#take(tools))
    }
    const listChanged = { tools: { onChanged, debounceMs: 50 } }
    // The newest revision, where asking for it costs a request. Over stdio it would cost a process.
    const mode = 'url' in this.#server ? 'auto' : 'legacy'
    const about = { name: 'turnbuckle', version }
    const client = new Client(about, { capabilities: {}, listChanged, versionNegotiation: { mode } })
    client.onerror = () => {}
    try {
      await client.connect(transport, { timeout: this.#options.connectTimeout })
      const opened = this.#client
      client.onclose = () => this.#lost(opened, `"${this.name}" is gone.`)
      const offers = client.getServerCapabilities()
      const timeout = this.#options.connectTimeout
      const tools = offers?.tools ? (await client.listTools(undefined, { timeout })).tools : []
      this.error = undefined
      this.hasResources = offers?.resources !== undefined
      this.#opening = undefined
      this.#connected = true
      await this.#take(tools)
      return client
    } catch (error) {
      this.#opening = undefined
      await client.close().catch(() => {})
      await transport.close().catch(() => {})
      const { complaint = '' } = transport as { readonly complaint?: string }
      const text = `"${this.name}" could not be reached: ${messageOf(error)} ${complaint}`
      throw new TurnbuckleError('mcp.unreachable', text.trim(), { cause: error })
    }
  }

  async #transport(): Promise<Transport> {
    const server = this.#server
    if ('url' in server) {
      const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
      return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: { ...server.headers } } })
    }
    const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio')
    const { command, args = [], env, cwd } = server
    const program = {
      command,
      args: [...args],
      env: { ...getDefaultEnvironment(), ...env },
      ...(cwd === undefined ? {} : { cwd }),
    }
    // Windows has no process groups, and needs help to find npx.
    if (process.platform === 'win32') return new StdioClientTransport({ ...program, stderr: 'ignore' })
    const { ProcessTransport } = await import('./process-transport.ts')
    return new ProcessTransport(program, await import('@modelcontextprotocol/client'))
  }

  async #take(tools: readonly Definition[]): Promise<void> {
    this.definitions = tools
    await this.#listed(this)
  }

  #lost(which: Promise<Client> | undefined, error: string): void {
    if (this.#client !== which) return
    this.#client = undefined
    this.#connected = false
    this.error = error
  }

  /** A server that does not even answer a ping is ended; the next request starts it anew. */
  async #endIfHanging(opened: Promise<Client>): Promise<void> {
    const client = await opened
    try {
      const options = { timeout: Math.min(5000, this.#options.timeout) }
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
