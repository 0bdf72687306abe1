import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { anthropicReply } from '../../turnbuckle/test/models/own-replies.ts'

interface SentPrompt {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

export interface AnthropicServer {
  readonly url: string
  /** The bodies of the requests with the right key. */
  readonly prompts: readonly SentPrompt[]
}

/**
 * A provider on this machine that speaks Anthropic's protocol over the network. It wants its key, refuses a prompt that ends with the
 * assistant, and answers each request with the next text. A text that ends with `…` is never ended.
 */
export async function anthropicServer(key: string, texts: readonly string[]): Promise<AnthropicServer> {
  const prompts: SentPrompt[] = []
  const server = createServer(async (request, response) => {
    const prompt = JSON.parse(await text(request)) as SentPrompt
    const given = request.headers['x-api-key']
    if (given !== key) return refuse(response, 401, 'authentication_error', `invalid x-api-key: ${given}`)
    prompts.push(prompt)
    if (prompt.messages.at(-1)?.role === 'assistant')
      return refuse(response, 400, 'invalid_request_error', 'The conversation must end with a user message.')
    answer(response, texts[prompts.length - 1] ?? '')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, prompts }
}

function answer(response: ServerResponse, said: string): void {
  const events = anthropicReply([{ type: 'text', text: said }])
  // The end of the block, the figures and the end of the message.
  const told = said.endsWith('…') ? events.slice(0, -3) : events
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of told) response.write(`data: ${JSON.stringify(event)}\n\n`)
  if (told === events) response.end()
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type, message } }))
}
