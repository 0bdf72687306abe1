import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to the provider, answered by the test word by word. */
export interface ProviderCall {
  readonly body: { readonly messages: readonly { readonly role: string; readonly content: unknown }[] }
  /** Streams text. */
  say(text: string): void
  /** Calls a tool, and ends the reply. */
  call(name: string, args: object): void
  /** Ends the reply. */
  end(usage?: { readonly input: number; readonly output: number }): void
  /** Answers with an error. */
  refuse(status: number, message: string, headers?: Readonly<Record<string, string>>): void
  /** Sends what keeps a connection open and says nothing: a comment, and a delta without text. */
  keepAlive(): void
  /** Cuts the connection. */
  cut(): void
}

/** A provider in OpenAI's form on this machine, for `--model compatible/fake`. */
export class FakeProvider {
  readonly #server = createServer((request, response) => {
    let text = ''
    request.on('data', data => {
      text += data
    })
    const answer = request.url?.endsWith('/messages') ? anthropicCall : call
    request.on('end', () => this.#hear(answer(JSON.parse(text || '{}'), response)))
  })
  readonly #calls: ProviderCall[] = []
  readonly #waiting: ((call: ProviderCall) => void)[] = []

  #hear(made: ProviderCall): void {
    const next = this.#waiting.shift()
    if (next) next(made)
    else this.#calls.push(made)
  }

  /** The next request, or the first that nobody has answered. */
  next(): Promise<ProviderCall> {
    const made = this.#calls.shift()
    return made ? Promise.resolve(made) : new Promise(resolve => this.#waiting.push(resolve))
  }

  /** Begins to listen; gives the environment for a program that shall use it. */
  async listen(): Promise<Readonly<Record<string, string>>> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    const { port } = this.#server.address() as AddressInfo
    return { COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`, COMPATIBLE_API_KEY: 'key' }
  }

  /** The same in Anthropic's form, for `--model anthropic/…`: its models have a price. It says, ends and refuses. */
  async listenAsAnthropic(): Promise<Readonly<Record<string, string>>> {
    const { COMPATIBLE_BASE_URL = '' } = await this.listen()
    return { ANTHROPIC_BASE_URL: COMPATIBLE_BASE_URL, ANTHROPIC_API_KEY: 'key' }
  }

  [Symbol.dispose](): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

function call(body: ProviderCall['body'], response: ServerResponse): ProviderCall {
  const send = (value: unknown) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify(value)}\n\n`)
  }
  const chunk = (delta: unknown, finish: string | null = null) => ({
    id: 'chat-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'fake',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  return {
    body,
    say: text => send(chunk({ role: 'assistant', content: text })),
    call(name, args) {
      const made = { name, arguments: JSON.stringify(args) }
      send(
        chunk({ role: 'assistant', tool_calls: [{ index: 0, id: `call_${name}`, type: 'function', function: made }] }),
      )
      send(chunk({}, 'tool_calls'))
      response.end('data: [DONE]\n\n')
    },
    end({ input, output } = { input: 10, output: 10 }) {
      send({
        ...chunk({}, 'stop'),
        usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      })
      response.end('data: [DONE]\n\n')
    },
    refuse(status, message, headers = {}) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify({ error: { message } }))
    },
    keepAlive() {
      send(chunk({ role: 'assistant', content: '' }))
      response.write(': keep-alive\n\n')
    },
    cut: () => response.destroy(),
  }
}

function anthropicCall(body: ProviderCall['body'], response: ServerResponse): ProviderCall {
  const send = (type: string, value: object) =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`)
  const begin = () => {
    if (response.headersSent) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = { id: 'msg-1', type: 'message', role: 'assistant', model: 'fake', content: [], usage }
    send('message_start', { message })
    send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
  }
  return {
    ...call(body, response),
    say(text) {
      begin()
      send('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
    },
    end({ input, output } = { input: 10, output: 10 }) {
      begin()
      send('content_block_stop', { index: 0 })
      const usage = { input_tokens: input, output_tokens: output }
      send('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage })
      send('message_stop', {})
      response.end()
    },
  }
}
