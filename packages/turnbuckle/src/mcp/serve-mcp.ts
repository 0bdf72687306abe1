import type { McpRequestContext, Server, Transport } from '@modelcontextprotocol/server'
import type { AgentHandle } from '../core/types/agent-core.ts'
import { HttpSessions } from './http-sessions.ts'
import { load } from './load.ts'
import type { CallState } from './person.ts'
import { type AnswerOptions, serveTools } from './served-calls.ts'
import { completed, findPrompt, type ServedPrompt, servePrompts } from './served-prompts.ts'
import { type ServedResource, serveResources } from './served-resources.ts'
import { version } from './version.ts'

interface Offers extends AnswerOptions {
  /** Prompts to offer beside the tools. */
  readonly prompts?: readonly ServedPrompt[]
  /** Resources to offer beside the tools. */
  readonly resources?: readonly ServedResource[]
}

/** The options of `serveMcp`. */
export interface ServeMcpOptions extends Offers {
  /** The transport to the client: this process's stdin and stdout by default. */
  readonly transport?: Transport
}

/** The options of `mcpHandler`. */
export interface McpHandlerOptions extends Offers {
  /** The names that this server is reached by; others are refused, so that no web page can reach it. This machine's own by default. */
  readonly hosts?: readonly string[]
}

/** An agent that is served over MCP. */
export interface ServedMcp {
  /** Tells the clients that asked for it that a resource has changed. */
  resourceChanged(uri: string): void
  /** Ends all connections. */
  close(): Promise<void>
}

const packageName = '@modelcontextprotocol/server'
type Sdk = typeof import('@modelcontextprotocol/server')

/**
 * Serves an agent's tools to an MCP client. Each call is a turn of its own, with the client in the model's place: every
 * hook, guard and limit of the agent holds.
 */
export async function serveMcp(agent: AgentHandle, options: ServeMcpOptions = {}): Promise<ServedMcp> {
  const { serveStdio } = await load(packageName, () => import('@modelcontextprotocol/server/stdio'))
  const served = new ServedAgent(await import('@modelcontextprotocol/server'), agent, options)
  const transport = options.transport ? { transport: options.transport } : {}
  const { close } = serveStdio(about => served.server(about), transport)
  return { resourceChanged: uri => served.resourceChanged(uri), close }
}

/**
 * Serves an agent's tools over streamable HTTP: mount `fetch` where a server of yours takes requests. It asks for no token: put what
 * checks one in front of it.
 *
 * ```ts
 * const mcp = await mcpHandler(agent)
 * app.all('/mcp', c => mcp.fetch(c.req.raw))
 * ```
 */
export async function mcpHandler(
  agent: AgentHandle,
  options: McpHandlerOptions = {},
): Promise<ServedMcp & { fetch(request: Request): Promise<Response> }> {
  const sdk = await load(packageName, () => import('@modelcontextprotocol/server'))
  const hosts = [...(options.hosts ?? sdk.localhostAllowedHostnames())]
  const served = new ServedAgent(sdk, agent, options)
  const factory = (about: McpRequestContext) => served.server(about)
  const newest = sdk.createMcpHandler(factory, { legacy: 'reject' })
  const sessions = new HttpSessions(sdk, factory)
  return {
    fetch: async request =>
      sdk.hostHeaderValidationResponse(request, hosts) ??
      sdk.originValidationResponse(request, hosts) ??
      ((await sdk.isLegacyRequest(request)) ? sessions : newest).fetch(request),
    resourceChanged(uri) {
      served.resourceChanged(uri)
      newest.notify.resourceUpdated(uri)
    },
    async close() {
      await Promise.all([newest.close(), sessions.close()])
    },
  }
}

/** Makes a server for each connection, or each request, and knows which of them want to hear of changed resources. */
class ServedAgent {
  readonly #sdk: Sdk
  readonly #agent: AgentHandle
  readonly #options: Offers
  readonly #codec: ReturnType<typeof codecFor>
  readonly #subscribers = new Map<Server, Set<string>>()

  constructor(sdk: Sdk, agent: AgentHandle, options: Offers) {
    this.#sdk = sdk
    this.#agent = agent
    this.#options = options
    this.#codec = codecFor(sdk)
  }

  server({ era }: McpRequestContext): Server {
    const { prompts = [], resources = [], answer } = this.#options
    const completes =
      prompts.some(({ arguments: args = [] }) => args.some(({ complete }) => complete)) ||
      resources.some(({ complete }) => complete)
    const server = new this.#sdk.Server(
      { name: this.#agent.name, version },
      {
        capabilities: {
          tools: {},
          logging: {},
          ...(prompts.length ? { prompts: {} } : {}),
          ...(resources.length ? { resources: { subscribe: true } } : {}),
          ...(completes ? { completions: {} } : {}),
        },
        requestState: { verify: this.#codec.verify },
      },
    )
    serveTools(this.#sdk, server, { agent: this.#agent, answer, era, codec: this.#codec })
    if (prompts.length) servePrompts(server, prompts)
    if (resources.length) this.#serveResources(server, resources)
    if (completes) this.#serveCompletion(server)
    return server
  }

  resourceChanged(uri: string): void {
    for (const [server, wanted] of this.#subscribers)
      if (wanted.has(uri)) void server.sendResourceUpdated({ uri }).catch(() => {})
  }

  #serveResources(server: Server, resources: readonly ServedResource[]): void {
    const subscribed = new Set<string>()
    this.#subscribers.set(server, subscribed)
    server.onclose = () => void this.#subscribers.delete(server)
    serveResources(this.#sdk, server, resources, subscribed)
  }

  #serveCompletion(server: Server): void {
    const { prompts = [], resources = [] } = this.#options
    server.setRequestHandler('completion/complete', ({ params }) => {
      const { ref, argument, context } = params
      const complete =
        ref.type === 'ref/prompt'
          ? findPrompt(prompts, ref.name).arguments?.find(({ name }) => name === argument.name)?.complete
          : resources.find(({ uri }) => uri === ref.uri)?.complete?.[argument.name]
      return completed(complete, argument.value, context?.arguments ?? {})
    })
  }
}

/** Signs the answers that clients carry from one round of a call to the next. The key is this process's own. */
const codecFor = (sdk: Sdk) =>
  sdk.createRequestStateCodec<CallState>({
    key: crypto.getRandomValues(new Uint8Array(32)),
    ttlSeconds: 24 * 60 * 60,
  })
