import type {
  CallToolResult,
  InputRequiredResult,
  LoggingLevel,
  RequestStateCodec,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server'
import { messageOf } from '../core/base/errors.ts'
import type { ResultPart } from '../core/base/message.ts'
import { finish, skip, stop } from '../core/directives/directives.ts'
import type { Event } from '../core/events/events.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { AgentHandle } from '../core/types/agent-core.ts'
import type { Turn } from '../core/types/turn.ts'
import { mcpContent } from '../models/mcp-content.ts'
import type { Asked } from './client-question.ts'
import { digest } from './digest.ts'
import { type CallState, LaterPerson, type Person, PersonNow } from './person.ts'

export interface AnswerOptions {
  /**
   * Answers what hooks ask. By default the client's person is asked where the client can do that, and else a
   * permission is denied.
   */
  readonly answer?: ((request: { readonly kind: string; readonly payload: unknown }) => unknown) | undefined
}

type Sdk = typeof import('@modelcontextprotocol/server')

interface Served extends AnswerOptions {
  readonly agent: AgentHandle
  readonly era: 'legacy' | 'modern'
  readonly codec: RequestStateCodec<CallState>
}

/** Lists an agent's tools, and makes each call of a client a turn of its own. */
export function serveTools(sdk: Sdk, server: Server, { agent, answer, era, codec }: Served): void {
  server.setRequestHandler('tools/list', () => ({ tools: agent.tools.map(describe) }))
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const { name, arguments: args = {} } = params
    const call = await digest(JSON.stringify([name, args]))
    const person = era === 'modern' ? new LaterPerson(sdk, server, ctx, codec, call) : new PersonNow(server, ctx)
    return callOnce(agent, name, args, { ctx, answer, person })
  })
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
  const news = new CallNews(caller.ctx)
  for await (const event of turn) {
    if (event.type === 'request.opened') void answer(turn, event.requestId, event, caller)
    else news.tell(event)
  }
  const { messages, reason } = await turn.settled
  if (caller.person.lacks) throw caller.person.lacks
  if (caller.person.waits) return caller.person.waits
  await news.told
  const result = messages.flatMap(({ content }) => content).find((part): part is ResultPart => part.type === 'result')
  const { status, value } = result ?? { status: 'error', value: `The call was not made: ${reason}` }
  const content = mcpContent(value)
  if (status !== 'ok') return { content, isError: true }
  return { content, ...(isStructured(value, content) ? { structuredContent: value } : {}) }
}

/** An object of data is told as it is too; the text beside it is for clients that do not read it. */
const isStructured = (value: unknown, content: CallToolResult['content']): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && content.every(({ type }) => type === 'text')

/** Progress and log lines of a call, for its client. */
class CallNews {
  readonly #ctx: ServerContext
  #progress = 0
  /** Resolves when the client has been sent everything: what comes after the result is not heard. */
  told: Promise<unknown> = Promise.resolve()

  constructor(ctx: ServerContext) {
    this.#ctx = ctx
  }

  tell(event: Event): void {
    const { type, ...about } = event as Event & Readonly<Record<string, unknown>>
    if (type === 'tool.progress') this.#send(() => this.#progressed(about))
    else if (type === ('mcp.log' as string)) this.#send(() => this.#log(levelOf(about.level), about.data, about.logger))
    else if (event.type === 'hook.failed') this.#send(() => this.#log('error', `${event.name}: ${event.error}`))
  }
  #send(send: () => Promise<void> | undefined): void {
    this.told = this.told.then(send).catch(() => {})
  }

  #progressed({ progress, done, total, message }: Readonly<Record<string, unknown>>): Promise<void> | undefined {
    const { _meta, notify } = this.#ctx.mcpReq
    const { progressToken } = _meta ?? {}
    if (progressToken === undefined) return undefined
    const given = progress ?? done
    // The protocol wants it to grow with each notice.
    this.#progress = typeof given === 'number' && given > this.#progress ? given : this.#progress + 1
    const params = {
      progressToken,
      progress: this.#progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    }
    return notify({ method: 'notifications/progress', params })
  }
  #log(level: LoggingLevel, data: unknown, logger?: unknown): Promise<void> {
    return this.#ctx.mcpReq.log(level, data, typeof logger === 'string' ? logger : undefined)
  }
}

const levels: readonly string[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
const levelOf = (level: unknown): LoggingLevel =>
  typeof level === 'string' && levels.includes(level) ? (level as LoggingLevel) : 'info'

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

async function answer(turn: Turn, id: string, asked: Asked, caller: Caller): Promise<void> {
  const { kind, payload } = asked
  try {
    if (caller.answer) turn.answer(id, await caller.answer({ kind, payload }))
    else await askPerson(turn, id, asked, caller.person)
  } catch (error) {
    turn.interrupt(`"${kind}" could not be answered: ${messageOf(error)}`)
  }
}

async function askPerson(turn: Turn, id: string, asked: Asked, person: Person): Promise<void> {
  const answered = await person.ask(asked)
  if (turn.ended) return
  if (answered === 'later') turn.interrupt('The person at the client is asked first.')
  else if (answered === 'unanswered') turn.expire(id)
  else turn.answer(id, answered.answer)
}
