import type { AuthProvider, Client, OAuthClientProvider, Transport } from '@modelcontextprotocol/client'
import { messageOf, TurnbuckleError } from '../core/base/errors.ts'
import { BrowserSignIn } from './browser-sign-in.ts'
import { DeviceSignIn } from './device-sign-in.ts'
import { httpTransport, type McpHeaders, speaksOnlySse } from './http-transport.ts'
import { load } from './load.ts'
import type { Definition } from './pins.ts'
import type { ServerQuestions } from './server-questions.ts'
import { Credentials, type McpOAuth, type McpSignIn, memoryCredentials, type SignInFlow } from './sign-in.ts'
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
  | {
      readonly url: string
      readonly headers?: McpHeaders
      /** `sse` for the transport of 2024, with two connections. By default the newer one, and that one where a server has nothing else. */
      readonly type?: 'http' | 'sse'
      /** How to sign in, where the server wants that; `signIn` of the options says who does it. */
      readonly oauth?: McpOAuth
      /** A provider of the MCP SDK, for other ways to sign in: a service's own credentials, signed keys. */
      readonly auth?: AuthProvider | OAuthClientProvider
    }

/** A folder that servers may work in, by its address: `file:///home/me/project`. */
export interface McpRoot {
  /** The folder's address. */
  readonly uri: string
  /** The folder's name, for people. */
  readonly name?: string
}

export interface ConnectorOptions {
  /** Milliseconds to connect. A person who has to sign in first has more. */
  readonly connectTimeout: number
  /** False: the server is told that it cannot ask for anything. */
  readonly questions: boolean
  readonly signIn?: McpSignIn | undefined
}

export interface ConnectorHooks {
  readonly questions: ServerQuestions
  readonly roots: () => readonly McpRoot[] | undefined
  readonly onTools: (tools: readonly Definition[]) => void
}

/** A client that is connected, and its transport. */
export interface Connected {
  readonly client: Client
  readonly transport: Transport
}

/** Makes connections to one server, and has people sign in where it wants that. */
export class ServerConnector {
  readonly #name: string
  readonly #server: McpServer
  readonly #options: ConnectorOptions
  readonly #hooks: ConnectorHooks
  readonly #flow: SignInFlow | undefined
  /** The transport of the newest connection: closing it ends an attempt that hangs, and what is asked over it. */
  #transport: Transport | undefined
  #signingIn: Promise<void> | undefined

  constructor(name: string, server: McpServer, options: ConnectorOptions, hooks: ConnectorHooks) {
    this.#name = name
    this.#server = server
    this.#options = options
    this.#hooks = hooks
    this.#flow = flowFor(name, server, options.signIn)
  }

  async connect(): Promise<Connected> {
    for (let signIns = 0; ; signIns++)
      try {
        return await this.#attempt()
      } catch (error) {
        const transport = this.#transport
        this.#transport = undefined
        if (!transport || signIns === 2 || !this.canSignIn(error)) throw error
        await this.signIn(transport)
      }
  }

  /** True for the error of a server that wants a person to sign in, where that is possible. */
  canSignIn(error: unknown): boolean {
    return this.#flow !== undefined && isUnauthorized(error)
  }

  /** Waits until somebody has signed in. Several requests may wait for the same one. */
  signIn(transport: Transport): Promise<void> {
    this.#signingIn ??= (this.#flow?.finish(transport) ?? Promise.resolve()).finally(() => {
      this.#signingIn = undefined
    })
    return this.#signingIn
  }

  async close(): Promise<void> {
    await this.#flow?.close()
    await this.#transport?.close().catch(() => {})
  }

  async #attempt(): Promise<Connected> {
    await this.#flow?.prepare()
    const server = this.#server
    if (!('url' in server)) return this.#connectBy(await this.#program(server), 'legacy')
    const provider = server.auth ?? this.#flow?.provider
    if (server.type === 'sse') return this.#connectBy(await httpTransport(server, 'sse', provider), 'legacy')
    try {
      return await this.#connectBy(await httpTransport(server, 'http', provider), 'auto')
    } catch (error) {
      if (server.type || !speaksOnlySse((error as Error).cause)) throw error
      const older = await httpTransport(server, 'sse', provider)
      // The first error is the one that says what is wrong, unless the older transport wants a sign-in.
      return await this.#connectBy(older, 'legacy').catch(second => {
        throw isUnauthorized(second) ? second : error
      })
    }
  }

  /** `auto` asks for the newest revision, where that costs a request. Over stdio it would cost a process. */
  async #connectBy(transport: Transport, mode: 'auto' | 'legacy'): Promise<Connected> {
    this.#transport = transport
    const client = await this.#client(mode)
    try {
      await client.connect(transport, { timeout: this.#options.connectTimeout })
      return { client, transport }
    } catch (error) {
      await client.close().catch(() => {})
      await transport.close().catch(() => {})
      const { complaint = '' } = transport as { readonly complaint?: string }
      const text = `"${this.#name}" could not be reached: ${messageOf(error)} ${complaint}`
      throw new TurnbuckleError('mcp.unreachable', text.trim(), { cause: error })
    }
  }

  async #client(mode: 'auto' | 'legacy'): Promise<Client> {
    const { Client } = await load('@modelcontextprotocol/client', () => import('@modelcontextprotocol/client'))
    const { onTools, questions, roots } = this.#hooks
    const onChanged = (_error: unknown, tools: readonly Definition[] | null) => {
      if (tools) onTools(tools)
    }
    const asking = this.#options.questions
    const client = new Client(
      { name: 'turnbuckle', version },
      {
        capabilities: {
          ...(asking ? { elicitation: { form: { applyDefaults: true }, url: {} }, sampling: {} } : {}),
          ...(roots() ? { roots: { listChanged: true } } : {}),
        },
        listChanged: { tools: { onChanged, debounceMs: 50 } },
        versionNegotiation: { mode },
      },
    )
    client.onerror = () => {}
    if (asking) {
      client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
        questions.elicit(params, undefined, mcpReq.signal),
      )
      client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
        questions.sample(params, undefined, mcpReq.signal),
      )
    }
    if (roots()) client.setRequestHandler('roots/list', () => ({ roots: (roots() ?? []).map(root => ({ ...root })) }))
    return client
  }

  async #program(server: Extract<McpServer, { command: string }>): Promise<Transport> {
    const { StdioClientTransport, getDefaultEnvironment } = await load(
      '@modelcontextprotocol/client',
      () => import('@modelcontextprotocol/client/stdio'),
    )
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
}

function flowFor(name: string, server: McpServer, signIn: McpSignIn | undefined): SignInFlow | undefined {
  if (!('url' in server) || server.auth || !(signIn || server.oauth)) return undefined
  const { store = memoryCredentials() } = signIn ?? {}
  const { url, oauth = {} } = server
  const terms = { server: name, url, oauth, signIn: signIn ?? {}, credentials: new Credentials(store, url) }
  return oauth.flow === 'device' ? new DeviceSignIn(terms) : new BrowserSignIn(terms)
}

function isUnauthorized(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at.name === 'UnauthorizedError') return true
  return false
}
