import { type Agent, type CreateAgentOptions, createAgent } from 'turnbuckle'
import { createServer, type Server, type ServerOptions } from '../src/index.ts'
import { checkDocumented } from './documented.ts'

export interface Served extends Server {
  readonly agent: Agent
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it, it says itself
  readonly body: any
  readonly headers: Headers
}

/** A real server on a free port. The test closes it. */
export async function serve(agentOptions: CreateAgentOptions, options: Partial<ServerOptions> = {}): Promise<Served> {
  const agent = createAgent(agentOptions)
  const server = await createServer({ agent, token: 'secret', ...options })
  return { ...server, agent, call: callOf(server.url, server.token) }
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
