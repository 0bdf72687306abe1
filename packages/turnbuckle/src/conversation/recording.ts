import { TurnbuckleError } from '../core/errors.ts'
import type { Event } from '../core/events.ts'
import { type Message, type NewMessage, type Part, type ToolResult, textOf } from '../core/message.ts'
import type { Chunk, Model, Prompt } from '../core/ports.ts'
import { type Tool, tool } from '../core/tool.ts'

/** The first place where what is asked is not what was recorded. */
export interface Divergence {
  readonly at: 'prompt' | 'call' | 'request'
  /** The model call, the tool's name and call id, or the request's kind. */
  readonly where: string
  readonly reason: string
}

/** What the model, the tools and people gave in a turn. */
export class Recording {
  readonly parent: string | undefined
  readonly message: NewMessage
  divergence: Divergence | undefined
  onDivergence: ((reason: string) => void) | undefined
  readonly #added: readonly Extract<Event, { type: 'message.added' }>[]
  readonly #replies: readonly Message[]
  readonly #results = new Map<string, ToolResult & { readonly ran: boolean; readonly args: string }>()
  readonly #answers = new Map<string, { readonly decision: unknown }>()
  #calls = 0

  constructor(events: readonly Event[]) {
    this.#added = events.filter(event => event.type === 'message.added')
    this.parent = events.find(event => event.type === 'turn.started')?.parentId
    const said = this.#added.find(({ role }) => role === 'user')?.message
    this.message = { role: 'user', content: said?.content ?? [] }
    this.#replies = this.#added.filter(({ message }) => isReply(message)).map(({ message }) => message)
    const began = new Map<string, string>()
    for (const event of events) {
      if (event.type === 'tool.executing') began.set(event.callId, canonical(event.args))
      if (event.type === 'tool.completed' || event.type === 'tool.failed') {
        const args = began.get(event.callId)
        this.#results.set(event.callId, {
          status: event.status,
          value: event.result,
          ran: args !== undefined,
          args: args ?? '',
        })
      }
      if (event.type === 'request.answered') this.#answers.set(event.requestId, { decision: event.decision })
    }
  }

  model(history: readonly Message[]): Model {
    const recording = this
    return {
      id: 'recorded',
      async *stream(prompt) {
        const reply = recording.#reply(prompt, history)
        for (const part of reply.content) yield part as Chunk
      },
    }
  }

  #reply(prompt: Prompt, history: readonly Message[]): Message {
    const call = this.#calls++
    const reply = this.#replies[call]
    const where = `model call ${call}`
    if (!reply) return this.#diverge('prompt', where, 'then the model was not asked again')
    const own = this.#added.slice(
      0,
      this.#added.findIndex(({ message }) => message === reply),
    )
    const expected = [...history, ...own.map(({ message }) => message)]
    const differs = prompt.messages.findIndex((message, i) => !sameMessage(message, expected[i]))
    if (differs >= 0)
      return this.#diverge('prompt', where, `message ${differs} is now: ${brief(prompt.messages[differs])}`)
    if (prompt.messages.length < expected.length)
      return this.#diverge('prompt', where, `then it had ${expected.length} messages, now ${prompt.messages.length}`)
    return reply
  }

  tools(): Tool[] {
    const names = this.#replies.flatMap(({ content }) =>
      content.flatMap(part => (part.type === 'call' ? [part.name] : [])),
    )
    return [...new Set(names)].map(name => tool({ name, run: (args, ctx) => this.#result(name, ctx.call.id, args) }))
  }

  #result(name: string, callId: string, args: unknown): unknown {
    const recorded = this.#results.get(callId)
    const where = `${name} (${callId})`
    if (!recorded?.ran) return this.#diverge('call', where, 'then the call was not run')
    if (recorded.args !== canonical(args))
      return this.#diverge('call', where, `its arguments are now ${canonical(args)}`)
    if (recorded.status === 'ok') return recorded.value
    throw new Error(String(recorded.value))
  }

  answer(requestId: string, kind: string): { readonly decision: unknown } | undefined {
    const answer = this.#answers.get(requestId)
    if (!answer) this.#note('request', kind, 'then nobody was asked this')
    return answer
  }

  #note(at: Divergence['at'], where: string, reason: string): void {
    this.divergence ??= { at, where, reason }
    this.onDivergence?.(`diverged at ${where}: ${reason}`)
  }
  #diverge(at: Divergence['at'], where: string, reason: string): never {
    this.#note(at, where, reason)
    throw new TurnbuckleError('replay.diverged', `The record does not apply any more at ${where}: ${reason}.`)
  }
}

/** A reply of the model, not a hook's own words. */
const isReply = ({ role, by }: Message): boolean => role === 'assistant' && by === undefined

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  ) ?? 'undefined'

const plain = (parts: readonly Part[]): string => canonical(parts)
const sameMessage = (a: Message, b: Message | undefined): boolean =>
  b !== undefined && a.role === b.role && plain(a.content) === plain(b.content)
const brief = (message: Message | undefined): string =>
  (message && (textOf(message) || canonical(message.content)).slice(0, 120)) ?? ''
