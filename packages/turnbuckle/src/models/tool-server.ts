import type { ToolSpec } from '../core/base/ports.ts'
import type { McpContent } from './mcp-content.ts'
import { providerName } from './provider-id.ts'
import { ourName } from './provider-tools.ts'

/** The side of an MCP transport that a server uses. */
export interface ToolTransport {
  onmessage?: ((message: never) => void) | undefined
  start(): Promise<void>
  send(message: never): Promise<void>
}

export interface ToolRequest {
  readonly id: string
  readonly name: string
  readonly args: unknown
}

export interface ToolAnswer {
  readonly content: readonly McpContent[]
  readonly failed: boolean
}

export type RunRequest = (request: ToolRequest) => Promise<ToolAnswer>

interface Request {
  readonly id?: string | number
  readonly method?: string
  readonly params?: {
    readonly protocolVersion?: string
    readonly name?: string
    readonly arguments?: unknown
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

/**
 * Our tools as an MCP server inside this process, for a provider that runs its own loop: enough of the protocol to list
 * and to call, with the schemas as they are.
 */
export class ToolServer {
  readonly #tools: readonly ToolSpec[]
  readonly #run: RunRequest
  readonly #parallel: boolean

  /** `parallel`: calls of one reply may come side by side. */
  constructor(tools: readonly ToolSpec[], run: RunRequest, parallel: boolean) {
    this.#tools = tools
    this.#run = run
    this.#parallel = parallel
  }

  async connect(transport: ToolTransport): Promise<void> {
    transport.onmessage = (request: Request) => {
      if (request.id === undefined) return
      const reply = (answer: object) => transport.send({ jsonrpc: '2.0', id: request.id, ...answer } as never)
      this.#answer(request).then(
        result => reply({ result }),
        (error: unknown) => reply({ error: { code: -32603, message: String(error) } }),
      )
    }
    await transport.start()
  }

  async #answer({ id, method, params = {} }: Request): Promise<object> {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'turnbuckle', version: '1' },
        }
      case 'tools/list':
        return {
          tools: this.#tools.map(({ name, description, schema }) => ({
            name: providerName(name),
            description,
            inputSchema: schema,
            // Not a claim about the tool: the program at the other end has no other word for "may run beside others" (decision 0029).
            // `serveMcp`, which others read, says it of tools with `readOnly: true` alone.
            ...(this.#parallel ? { annotations: { readOnlyHint: true } } : {}),
          })),
        }
      case 'tools/call': {
        const given = params._meta?.['claudecode/toolUseId']
        const { content, failed } = await this.#run({
          id: typeof given === 'string' ? given : `mcp_${id}`,
          name: ourName(this.#tools, String(params.name)),
          args: params.arguments ?? {},
        })
        return { content, isError: failed }
      }
      case 'ping':
        return {}
      default:
        throw new Error(`There is no method ${method} here.`)
    }
  }
}
