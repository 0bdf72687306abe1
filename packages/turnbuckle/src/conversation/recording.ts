import { TurnbuckleError } from '../core/errors.ts'
import type { Event } from '../core/events.ts'
import { type Message, type NewMessage, type ToolResult, textOf } from '../core/message.ts'
import type { Chunk, Model, Prompt } from '../core/ports.ts'
import { type Tool, tool } from '../core/tool.ts'
import { canonical, type PromptPrint, printOf, sameMessage } from './prompt-print.ts'

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
  /** The turn's own messages, and what each follows. */
  readonly #own = new Map<string, { readonly message: Message; readonly parentId: string | undefined }>()
  readonly #prints: ReadonlyMap<string, PromptPrint>
  readonly #replies: readonly Message[]
  readonly #results = new Map<string, ToolResult & { readonly ran: boolean; readonly args: string }>()
  readonly #answers = new Map<string, { readonly decision: unknown }>()
  #calls = 0

  constructor(events: readonly Event[], prints: ReadonlyMap<string, PromptPrint>) {
    this.#prints = prints
    this.parent = events.find(event => event.type === 'turn.started')?.parentId
    for (const event of events) this.#place(event)
    const messages = [...this.#own.values()].map(({ message }) => message)
    const said = messages.find(({ role }) => role === 'user')
    this.message = { role: 'user', content: said?.content ?? [] }
    this.#replies = messages.filter(isReply)
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

  #place(event: Event): void {
    if (event.type === 'message.added') this.#own.set(event.messageId, event)
    if (event.type !== 'history.edited') return
    let { parentId } = event
    for (const message of event.messages) {
      this.#own.set(message.id, { message, parentId })
      parentId = message.id
    }
  }

  /** `instructions`: those that the replay itself has. */
  model(history: readonly Message[], instructions: string): Model {
    const recording = this
    return {
      id: 'recorded',
      async *stream(prompt) {
        const reply = recording.#reply(prompt, history, instructions)
        for (const part of reply.content) yield part as Chunk
      },
    }
  }

  #reply(prompt: Prompt, history: readonly Message[], instructions: string): Message {
    const call = this.#calls++
    const reply = this.#replies[call]
    const where = `model call ${call}`
    if (!reply) return this.#diverge('prompt', where, 'then the model was not asked again')
    const path = this.#pathBefore(reply, history)
    const then = this.#prints.get(reply.id) ?? {}
    const now = printOf(prompt, path, instructions)
    for (const part of ['messages', 'instructions', 'params'] as const)
      if (then[part] !== now[part]) return this.#diverge('prompt', where, differs(part, prompt, path, then))
    return reply
  }

  /** The messages that a reply followed: through the turn's own, and then the history from where it left that. */
  #pathBefore(reply: Message, history: readonly Message[]): Message[] {
    const own: Message[] = []
    let at = this.#own.get(reply.id)?.parentId
    for (let node = this.#own.get(at ?? ''); node; node = this.#own.get(at ?? '')) {
      own.unshift(node.message)
      at = node.parentId
    }
    return [...history.slice(0, history.findIndex(({ id }) => id === at) + 1), ...own]
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

function differs(part: keyof PromptPrint, prompt: Prompt, path: readonly Message[], then: PromptPrint): string {
  if (part !== 'messages') return `its ${part} are now ${canonical(prompt[part]).slice(0, 120)}`
  if (then.messages !== undefined) return 'then a hook had changed its messages in another way'
  const { messages } = prompt
  const first = messages.findIndex((message, i) => !sameMessage(message, path[i]))
  return first < 0
    ? `then it had ${path.length} messages, now ${messages.length}`
    : `message ${first} is now: ${brief(messages[first])}`
}

const brief = (message: Message | undefined): string =>
  (message && (textOf(message) || canonical(message.content)).slice(0, 120)) ?? ''
