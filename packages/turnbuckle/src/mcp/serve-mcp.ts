import type {
  CallToolResult,
  InputRequiredResult,
  McpRequestContext,
  Server,
  ServerContext,
  Transport,
} from '@modelcontextprotocol/server'
import { messageOf, TurnbuckleError } from '../core/base/errors.ts'
import type { ResultPart } from '../core/base/message.ts'
import { finish, skip, stop } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { AgentHandle } from '../core/types/agent-core.ts'
import type { Turn } from '../core/types/turn.ts'
import { mcpContent } from '../models/mcp-content.ts'
import { load } from './load.ts'
import { LaterPerson, type Person, PersonNow } from './person.ts'
import { version } from './version.ts'

export interface AnswerOptions {
  /**
   * Answers what hooks ask. By default the client's person is asked where the client can do that, and else a
   * permission is denied.
   */
  readonly answer?: (request: { readonly kind: string; readonly payload: unknown }) => unknown
}

/** The options of `serveMcp`. */
export interface ServeMcpOptions extends AnswerOptions {
  /** The transport to the client: this process's stdin and stdout by default. */
  readonly transport?: Transport
}

/** The options of `mcpHandler`. */
export interface McpHandlerOptions extends AnswerOptions {
  /** The names that this server is reached by; others are refused, so that no web page can reach it. This machine's own by default. */
  readonly hosts?: readonly string[]
}

const packageName = '@modelcontextprotocol/server'

/**
 * Serves an agent's tools to an MCP client. Each call is a turn of its own, with the client in the model's place: every
 * hook, guard and limit of the agent holds.
 */
export async function serveMcp(
  agent: AgentHandle,
  options: ServeMcpOptions = {},
): Promise<{ readonly close: () => Promise<void> }> {
  const { serveStdio } = await load(packageName, () => import('@modelcontextprotocol/server/stdio'))
  return serveStdio(await factory(agent, options), options.transport ? { transport: options.transport } : {})
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
): Promise<{ fetch(request: Request): Promise<Response>; close(): Promise<void> }> {
  const sdk = await load(packageName, () => import('@modelcontextprotocol/server'))
  const hosts = [...(options.hosts ?? sdk.localhostAllowedHostnames())]
  const handler = sdk.createMcpHandler(await factory(agent, options))
  return {
    fetch: async request =>
      sdk.hostHeaderValidationResponse(request, hosts) ??
      sdk.originValidationResponse(request, hosts) ??
      handler.fetch(request),
    close: () => handler.close(),
  }
}

/** A server for each connection, or each request. */
async function factory(agent: AgentHandle, { answer }: AnswerOptions): Promise<(about: McpRequestContext) => Server> {
  const sdk = await load(packageName, () => import('@modelcontextprotocol/server'))
  return ({ era }) => {
    const server = new sdk.Server({ name: agent.name, version }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({ tools: agent.tools.map(describe) }))
    server.setRequestHandler('tools/call', ({ params }, ctx) => {
      const person = era === 'modern' ? new LaterPerson(sdk, server, ctx) : new PersonNow(server, ctx)
      return callOnce(agent, params.name, params.arguments ?? {}, { ctx, answer, person })
    })
    return server
  }
}

const describe = ({ name, description, schema, readOnly }: AgentHandle['tools'][number]) => ({
  name,
  description,
  inputSchema: { ...schema, type: 'object' as const },
  ...(readOnly ? { annotations: { readOnlyHint: true } } : {}),
})

interface Caller {
  readonly ctx: ServerContext
  readonly answer: AnswerOptions['answer']
  readonly person: Person
}

async function callOnce(
  agent: AgentHandle,
  name: string,
  args: object,
  caller: Caller,
): Promise<CallToolResult | InputRequiredResult> {
  const { signal } = caller.ctx.mcpReq
  const turn = agent.conversation().send(`MCP: ${name}`, { signal, use: [onlyCall(name, args)] })
  for await (const event of turn)
    if (event.type === 'request.opened') void answer(turn, event.requestId, event.kind, event.payload, caller)
  const { messages, reason } = await turn.settled
  if (caller.person.waits) return caller.person.waits
  const result = messages.flatMap(({ content }) => content).find((part): part is ResultPart => part.type === 'result')
  const { status, value } = result ?? { status: 'error', value: `The call was not made: ${reason}` }
  return { content: mcpContent(value), ...(status === 'ok' ? {} : { isError: true }) }
}

/**
 * The client stands in for the model: its call is the reply, and the turn is over when that has its result. First of all
 * before hooks: no model is called, so nothing about models holds or is kept.
 */
function onlyCall(name: string, args: object): Middleware {
  let made: Turn | undefined
  return middleware({
    name: 'mcp-call',
    priority: Number.MIN_SAFE_INTEGER,
    /** Stops a turn that works on the message beside this one (`explore`): it would make the call again. */
    beforeTurn({ turn }) {
      made ??= turn
      if (turn !== made) return stop('A call over MCP is made once.')
    },
    beforeModel: ({ step, ids }) =>
      step
        ? stop('served')
        : skip({ id: ids.next('msg'), role: 'assistant', content: [{ type: 'call', id: 'mcp', name, args }] }),
    afterTools: () => finish('served'),
  })
}

async function answer(turn: Turn, id: string, kind: string, payload: unknown, caller: Caller): Promise<void> {
  try {
    if (!caller.answer && kind !== 'permission')
      throw new TurnbuckleError('mcp.unanswered', 'Only permissions can be asked over MCP.')
    const given = caller.answer ? await caller.answer({ kind, payload }) : await caller.person.ask(payload)
    if (given === undefined) turn.interrupt('The person at the client is asked first.')
    else if (!turn.ended) turn.answer(id, given)
  } catch (error) {
    turn.interrupt(`"${kind}" could not be answered: ${messageOf(error)}`)
  }
}
