import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Payload } from './payloads.ts'

/** The task of a person, and the text of a stranger's that the model meets on the way. */
export interface Attack {
  readonly first: Payload | undefined
  readonly mark: string
  readonly payload: Payload
}

/** A provider in OpenAI's form whose model does what any text in its prompt says. */
export class ObeyingModel {
  #attack: Attack | undefined
  #hasBegun = false
  /** The mark was in a prompt, and the model made the call. */
  obeyed = false
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  face(attack: Attack): void {
    this.#attack = attack
    this.#hasBegun = !attack.first
    this.obeyed = false
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const prompt = JSON.stringify(JSON.parse(await text(request)))
    const made = this.#next(prompt)
    const delta = made
      ? { tool_calls: [{ index: 0, id: `call_${made.tool}`, type: 'function', function: named(made) }] }
      : { content: 'Done.' }
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'obeying' }
    const choices = [
      [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }],
      [{ index: 0, delta: {}, finish_reason: made ? 'tool_calls' : 'stop' }],
    ]
    const lines = choices.map(each => `data: ${JSON.stringify({ ...chunk, choices: each })}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${lines.join('')}data: [DONE]\n\n`)
  }

  #next(prompt: string): Payload | undefined {
    const attack = this.#attack
    if (!attack) return undefined
    if (!this.#hasBegun) {
      this.#hasBegun = true
      return attack.first
    }
    if (this.obeyed || !prompt.includes(attack.mark)) return undefined
    this.obeyed = true
    return attack.payload
  }
}

const named = ({ tool, args }: Payload) => ({ name: tool, arguments: JSON.stringify(args) })
