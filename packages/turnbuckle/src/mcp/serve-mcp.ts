import type {
  CallToolResult,
  ElicitRequestFormParams,
  Server,
  ServerContext,
  Transport,
} from '@modelcontextprotocol/server'
import type { AgentHandle } from '../core/agent.ts'
import { messageOf, TurnbuckleError } from '../core/errors.ts'
import { finish } from '../core/flow.ts'
import { type Middleware, middleware } from '../core/hooks.ts'
import type { ResultPart } from '../core/message.ts'
import type { Chunk, Model } from '../core/ports.ts'
import type { Turn } from '../core/turn.ts'
import { load } from './load.ts'

export interface ServeMcpOptions {
  /** How the client is reached: this process's stdin and stdout by default. */
  readonly transport?: Transport
  /**
   * Answers what hooks ask. By default the client's person is asked where the client can do that, and else a
   * permission is denied.
   */
  readonly answer?: (request: { readonly kind: string; readonly payload: unknown }) => unknown
}

/**
 * Serves an agent's tools to an MCP client. Each call is a turn of its own, whose model does nothing but make that call:
 * every hook, guard and limit of the agent holds.
 */
export async function serveMcp(
  agent: AgentHandle,
  options: ServeMcpOptions = {},
): Promise<{ readonly close: () => Promise<void> }> {
  const name = '@modelcontextprotocol/server'
  const { Server } = await load(name, () => import('@modelcontextprotocol/server'))
  const { serveStdio } = await load(name, () => import('@modelcontextprotocol/server/stdio'))
  const make = () => {
    const server = new Server({ name: agent.name, version: '0.1.0' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({ tools: agent.tools.map(describe) }))
    server.setRequestHandler('tools/call', ({ params }, ctx) =>
      callOnce(agent, params.name, params.arguments ?? {}, { server, ctx, options }),
    )
    return server
  }
  return serveStdio(make, options.transport ? { transport: options.transport } : {})
}

const describe = ({ name, description, schema }: AgentHandle['tools'][number]) => ({
  name,
  description,
  inputSchema: { ...schema, type: 'object' as const },
})

interface Caller {
  readonly server: Server
  readonly ctx: ServerContext
  readonly options: ServeMcpOptions
}

async function callOnce(agent: AgentHandle, name: string, args: object, caller: Caller): Promise<CallToolResult> {
  const { signal } = caller.ctx.mcpReq
  const turn = agent.conversation().send(`MCP: ${name}`, { signal, use: [onlyCall(name, args)] })
  for await (const event of turn)
    if (event.type === 'request.opened') void answer(turn, event.requestId, event.kind, event.payload, caller)
  const { messages, reason } = await turn.settled
  const result = messages.flatMap(({ content }) => content).find((part): part is ResultPart => part.type === 'result')
  const { status, value } = result ?? { status: 'error', value: `The call was not made: ${reason}` }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { content: [{ type: 'text', text }], ...(status === 'ok' ? {} : { isError: true }) }
}

/** The model of this turn makes one call; the turn is over when that has its result. */
function onlyCall(name: string, args: object): Middleware {
  const model: Model = {
    id: 'mcp-call',
    async *stream(): AsyncGenerator<Chunk> {
      yield { type: 'call', id: 'mcp', name, args }
      yield { type: 'finish', reason: 'tool-calls' }
    },
  }
  return middleware({
    name: 'mcp-call',
    beforeModel(ctx) {
      ctx.prompt = { ...ctx.prompt, model }
    },
    afterTools: () => finish('served'),
  })
}

async function answer(turn: Turn, id: string, kind: string, payload: unknown, caller: Caller): Promise<void> {
  try {
    const given = caller.options.answer
      ? await caller.options.answer({ kind, payload })
      : await askClient(kind, payload, caller)
    if (!turn.ended) turn.answer(id, given)
  } catch (error) {
    turn.interrupt(`"${kind}" could not be answered: ${messageOf(error)}`)
  }
}

/** Nobody there to ask means no. */
async function askClient(kind: string, payload: unknown, { server, ctx }: Caller): Promise<unknown> {
  if (kind !== 'permission') throw new TurnbuckleError('mcp.unanswered', 'Only permissions can be asked over MCP.')
  if (!server.getClientCapabilities()?.elicitation)
    return { decision: 'deny', reason: 'This needs a permission, and the client cannot ask its person.' }
  const said = await ctx.mcpReq
    .elicitInput(permissionForm(payload), { signal: ctx.mcpReq.signal })
    .catch(() => undefined)
  const allowed = said?.action === 'accept' && said.content?.decision === 'allow'
  return allowed ? { decision: 'allow', scope: 'once' } : { decision: 'deny', reason: 'The person did not allow it.' }
}

function permissionForm(payload: unknown): ElicitRequestFormParams {
  const { name, args } = (payload ?? {}) as { name?: unknown; args?: unknown }
  return {
    mode: 'form',
    message: `May ${String(name)} run with ${JSON.stringify(args)?.slice(0, 2000)}?`,
    requestedSchema: {
      type: 'object',
      properties: { decision: { type: 'string', enum: ['allow', 'deny'], description: 'allow or deny' } },
      required: ['decision'],
    },
  }
}
