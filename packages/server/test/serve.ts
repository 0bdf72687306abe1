import { type Agent, type CreateAgentOptions, createAgent } from 'turnbuckle'
import { onTestFinished } from 'vitest'
import { createServer, type Server, type ServerOptions } from '../src/index.ts'
import { checkDocumented } from './documented.ts'
import { SocketClient } from './socket-client.ts'

export interface Served extends Server {
  readonly agent: Agent
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Its id. */
  newConversation(title?: string): Promise<string>
  join(token?: string): Promise<SocketClient>
  follow(id: string, after?: number): Promise<SocketClient>
}
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it, it says itself
  readonly body: any
  readonly headers: Headers
}

/** A real server on a free port, closed when the test is over. */
export async function serve(agentOptions: CreateAgentOptions, options: Partial<ServerOptions> = {}): Promise<Served> {
  const agent = createAgent(agentOptions)
  const server = await createServer({ agent, token: 'secret', ...options })
  onTestFinished(() => server.close())
  const call = callOf(server.url, server.token)
  return {
    ...server,
    agent,
    call,
    newConversation: async title => (await call('POST', '/api/conversations', title ? { title } : {})).body.id,
    join: token => join(server, token),
    follow: (id, after) => follow(server, id, after),
  }
}

/** A socket that ends with the test. */
async function join({ url }: { readonly url: string }, token = 'secret'): Promise<SocketClient> {
  const client = await SocketClient.open(url, token)
  onTestFinished(() => client.socket.terminate())
  return client
}
/** A socket that hears of a conversation, from a number on. */
export async function follow(server: { readonly url: string }, conversationId: string, after = 0) {
  const client = await join(server)
  await client.ask({ type: 'subscribe', conversationId, after })
  return client
}

/** Speaks plain HTTP, as anyone's client does. Every answer is held against the OpenAPI document. */
export const callOf =
  (url: string, token: string): Served['call'] =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers }
    checkDocumented(method, path, answer.status, answer.body)
    return answer
  }

/** A promise that the test settles. */
export function gate<Value = void>(): { readonly opened: Promise<Value>; open(value: Value): void } {
  let open: (value: Value) => void = () => {}
  const opened = new Promise<Value>(resolve => {
    open = resolve
  })
  return { opened, open: value => open(value) }
}
