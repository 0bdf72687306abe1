import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { TurnbuckleError } from '../core/base/errors.ts'
import type { NewMessage, Part } from '../core/base/message.ts'
import type { AgentHandle } from '../core/types/agent-core.ts'
import type { Tool } from '../core/types/tool.ts'
import { mcpQuestions } from './mcp-questions.ts'
import { mcpTool, readContent, textOfResult } from './mcp-tool.ts'
import { nameTools } from './name-tools.ts'
import { OpenCalls } from './open-calls.ts'
import { type Changed, memoryPins, type PinStore, pinned, pinOf } from './pins.ts'
import { findLink, type McpResource, resourceTools } from './resource-tools.ts'
import type { McpRoot, McpServer } from './server-connector.ts'
import { type LinkStatus, ServerLink } from './server-link.ts'
import type { McpSignIn } from './sign-in.ts'
import { within } from './within.ts'

/** The options of `connectMcp`. */
export interface McpOptions {
  /** The name of the middleware that `attach` adds; only needed where an agent has several connections. `mcp` by default. */
  readonly name?: string
  /** `server__tool`, the default; `false` keeps the servers' own names where no two are the same. */
  readonly prefix?: boolean
  /** Milliseconds for one request. A minute by default. */
  readonly timeout?: number
  /** Milliseconds to connect. Thirty seconds by default. */
  readonly connectTimeout?: number
  /** The store that remembers definitions. In memory by default: keep them to notice what changed between two starts. */
  readonly pins?: PinStore
  /** Told when the tools have changed since they were connected; with `wait` also when a server is there or failed. */
  readonly onChange?: () => void
  /**
   * `false`: does not wait until the servers are connected; a number: for at most so many milliseconds. The tools of those that
   * are not there yet come when they are.
   */
  readonly wait?: boolean | number
  /** Folders that servers may work in: addresses (`file:///…`). Without it they are told of none. */
  readonly roots?: readonly (string | McpRoot)[]
  /**
   * False: servers are told that they cannot ask for anything. By default a server's question (elicitation) is a request of the kind
   * `elicitation`, and its wish for a reply of the agent's model (sampling) one of the kind `permission`.
   */
  readonly questions?: boolean
  /** Who signs in to servers that want it (OAuth), and where tokens are kept. */
  readonly signIn?: McpSignIn
}

/** A prompt that an MCP server offers. */
export interface McpPrompt {
  /** The server that offers the prompt. */
  readonly server: string
  /** The name of the prompt on its server. */
  readonly name: string
  /** The prompt's purpose, in the server's words. */
  readonly description: string
  /** The arguments that the prompt takes. */
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[]
}

/** Connections to MCP servers. */
export interface Mcp {
  /** The servers, and the state of each connection. */
  readonly servers: readonly { readonly name: string; readonly status: LinkStatus; readonly error?: string }[]
  /** As they are now. `attach` keeps an agent up to date. */
  readonly tools: readonly Tool[]
  /**
   * Gives an agent the tools, also when they change, and asks before a changed one runs. An agent's own
   * tool is not replaced by one of the same name. Returns how to take them back.
   */
  attach(agent: AgentHandle): () => void
  /** The names of tools that are not what they were when they were first seen. */
  readonly changed: readonly string[]
  /** The resources of all servers. */
  resources(): Promise<readonly McpResource[]>
  /** The prompts of all servers. */
  prompts(): Promise<readonly McpPrompt[]>
  /** A server's prompt as messages to begin a conversation with, or to send. */
  prompt(server: string, name: string, args?: Readonly<Record<string, string>>): Promise<readonly NewMessage[]>
  /**
   * Calls a server's tool for a program, not for a model: nobody is asked. Gives its text. Throws where the server is not connected, where the tool
   * has changed since it was first seen, and where the tool says that it failed.
   */
  call(
    server: string,
    tool: string,
    args?: Readonly<Record<string, unknown>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<string>
  /** Tells the servers that they may work in these folders from now on. Only where `roots` was given. */
  setRoots(roots: readonly (string | McpRoot)[]): Promise<void>
  /** Ends all connections. */
  close(): Promise<void>
}

/**
 * Connects to MCP servers, all at once. One that cannot be reached is listed as failed; the others work.
 *
 * ```ts
 * const mcp = await connectMcp({ files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] } })
 * mcp.attach(agent)
 * ```
 */
export async function connectMcp(servers: Readonly<Record<string, McpServer>>, options: McpOptions = {}): Promise<Mcp> {
  const connections = new Connections(servers, options)
  const opened = connections.open()
  const { wait = true } = options
  if (typeof wait === 'number') await within(opened, wait)
  else if (wait) await opened
  return connections
}

class Connections implements Mcp {
  readonly #links: readonly ServerLink[]
  readonly #pins: PinStore
  readonly #options: McpOptions
  readonly #attached = new Map<AgentHandle, () => void>()
  readonly #changed = new Map<string, Changed>()
  readonly #calls = new OpenCalls()
  #roots: readonly McpRoot[] | undefined
  tools: readonly Tool[] = []
  #ready = false
  #closed = false
  #refreshing: Promise<void> = Promise.resolve()

  constructor(servers: Readonly<Record<string, McpServer>>, options: McpOptions) {
    const { timeout = 60_000, connectTimeout = 30_000, pins = memoryPins(), questions = true, signIn } = options
    this.#options = options
    this.#pins = pins
    this.#roots = options.roots?.map(readRoot)
    const about = { timeout, connectTimeout, questions, signIn, roots: () => this.#roots }
    this.#links = Object.entries(servers).map(
      ([name, server]) => new ServerLink(name, server, about, () => this.#refresh()),
    )
  }

  async open(): Promise<void> {
    const { wait = true, onChange } = this.#options
    // Where nobody waits for all, a server's tools are listed as soon as it is there.
    if (wait !== true) this.#ready = true
    const links = this.#links.map(async link => link.open())
    if (wait !== true) for (const link of links) link.catch(() => this.#closed || onChange?.())
    await Promise.allSettled(links)
    if (wait !== true) return
    this.#ready = true
    this.#refreshing = this.#list()
    await this.#refreshing
  }
  async setRoots(roots: readonly (string | McpRoot)[]): Promise<void> {
    if (!this.#roots)
      throw new TurnbuckleError('mcp.roots', 'Give `roots` to `connectMcp` first, if only an empty list.')
    this.#roots = roots.map(readRoot)
    await Promise.all(this.#links.map(link => link.tellRoots()))
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const detach of this.#attached.values()) detach()
    this.#attached.clear()
    await Promise.all(this.#links.map(link => link.close()))
  }

  get servers(): Mcp['servers'] {
    return this.#links.map(({ name, status, error }) => ({ name, status, ...(error === undefined ? {} : { error }) }))
  }
  get changed(): readonly string[] {
    return [...this.#changed.keys()]
  }

  attach(agent: AgentHandle): () => void {
    this.#attached.get(agent)?.()
    const own = new Set(agent.tools.map(({ name }) => name))
    const tools = this.tools.filter(({ name }) => !own.has(name))
    const { name = 'mcp' } = this.#options
    const use = [pinned(name, tools, this.#changed, this.#pins), ...mcpQuestions(name, tools, this.#calls)]
    this.#attached.set(agent, agent.use(use))
    return () => {
      this.#attached.get(agent)?.()
      this.#attached.delete(agent)
    }
  }

  /** Some server's tools are known, or known anew. One after the other, so that the last word is the newest. */
  #refresh(): Promise<void> {
    if (this.#ready)
      this.#refreshing = this.#refreshing
        .then(() => this.#list())
        .then(() => this.#options.onChange?.())
        .catch(() => {})
    return this.#refreshing
  }
  async #list(): Promise<void> {
    const named = nameTools(this.#links, this.#options.prefix ?? true)
    for (const { link, definition, name } of named) {
      const key = `${link.name}/${definition.name}`
      const pin = await pinOf(definition)
      const before = await this.#pins.get(key)
      if (before === undefined) await this.#pins.set(key, pin)
      if (before === undefined || before === pin) this.#changed.delete(name)
      else this.#changed.set(name, { server: link.name, key, pin })
    }
    this.tools = [
      ...named.map(({ link, definition, name }) => mcpTool(link, definition, name, this.#calls)),
      ...resourceTools(this.#links, () => this.resources()),
    ]
    for (const agent of this.#attached.keys()) this.attach(agent)
  }

  async resources(): Promise<readonly McpResource[]> {
    return this.#each('resources', async (client, limit, server) =>
      (await client.listResources(undefined, limit)).resources.map(({ uri, name, description = '', mimeType }) => ({
        server,
        uri,
        name,
        description,
        ...(mimeType === undefined ? {} : { mimeType }),
      })),
    )
  }
  async prompts(): Promise<readonly McpPrompt[]> {
    return this.#each('prompts', async (client, limit, server) =>
      (await client.listPrompts(undefined, limit)).prompts.map(({ name, description = '', arguments: args = [] }) => ({
        server,
        name,
        description,
        arguments: args.map(({ name, required = false }) => ({ name, required })),
      })),
    )
  }
  async prompt(server: string, name: string, args: Readonly<Record<string, string>> = {}): Promise<NewMessage[]> {
    const link = findLink(this.#links, server)
    const asked = { name, arguments: { ...args } }
    const { messages } = await link.request((client, limit) => client.getPrompt(asked, limit))
    return messages.map(({ role, content }) => {
      const read = readContent(content)
      return { role, content: [typeof read === 'string' ? { type: 'text', text: read } : (read as Part)] }
    })
  }

  async call(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<string> {
    const link = findLink(this.#links, server)
    if (link.status !== 'ready')
      throw new TurnbuckleError('mcp.unreachable', `The MCP server "${server}" is not connected.`)
    if ([...this.#changed.values()].some(({ key }) => key === `${server}/${tool}`))
      throw new TurnbuckleError('mcp.changed', `"${server}" has changed "${tool}". Look at it again.`)
    const call = { name: tool, arguments: { ...args } }
    const result = await link.request((client, limit) =>
      client.callTool(call, { ...limit, ...(signal ? { signal } : {}) }),
    )
    return textOfResult(result as CallToolResult)
  }

  /** The resources or prompts of each server that can be reached. A server without that capability is not asked: the client would say so on stdout. */
  async #each<Item>(
    kind: 'resources' | 'prompts',
    list: (client: Client, limit: { readonly timeout: number }, server: string) => Promise<Item[]>,
  ): Promise<Item[]> {
    const ready = this.#links.filter(({ status }) => status === 'ready')
    const lists = ready.map(link =>
      link.request(async (client, limit) =>
        client.getServerCapabilities()?.[kind] ? list(client, limit, link.name) : [],
      ),
    )
    return (await Promise.allSettled(lists)).flatMap(outcome => (outcome.status === 'fulfilled' ? outcome.value : []))
  }
}

const readRoot = (root: string | McpRoot): McpRoot => (typeof root === 'string' ? { uri: root } : root)
