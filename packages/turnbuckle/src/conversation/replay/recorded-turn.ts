import { canonicalJson } from '../../core/base/canonical-json.ts'
import { TurnbuckleError } from '../../core/base/errors.ts'
import { type Message, type NewMessage, type ToolResult, textOf } from '../../core/base/message.ts'
import type { Chunk, Model, Prompt } from '../../core/base/ports.ts'
import type { Decision } from '../../core/directives/directives.ts'
import { isSameMessage, promptChanges } from '../../core/durable/prompt-changes.ts'
import type { Event, TurnEnded } from '../../core/events/events.ts'
import { tool } from '../../core/tools/tool.ts'
import type { Tool } from '../../core/types/tool.ts'
import { factsOfOldIds } from '../read/facts-of-old-ids.ts'
import { type PromptFingerprint, promptFingerprint } from './prompt-fingerprint.ts'

/** The first prompt, call or request of the replay that is not the recorded one. */
export interface Divergence {
  /** The thing that no longer matches its record. */
  readonly at: 'prompt' | 'call' | 'request'
  /** The model call, the tool's name and call id, or the request's kind. */
  readonly where: string
  /** The mismatch in words. */
  readonly reason: string
}

/** The records of a turn that has ended, read from its log. */
export interface Recorded {
  readonly events: readonly Event[]
  /** By message id: the prompts that hooks had changed. */
  readonly prints: ReadonlyMap<string, PromptFingerprint>
  readonly decisions: readonly Decision[]
}

/** The replayed turn, as interjections and interrupts of the record are given to it again. */
export interface Person {
  interject(text: string): void
  interrupt(reason: string): void
}

type Result = ToolResult & { readonly ran: boolean; readonly args: string }

interface RecordedAnswer {
  readonly decision: unknown
  readonly by?: string
}

/** A turn that can be replayed: gives the replies, results, answers and interjections of its record in their order. */
export class RecordedTurn {
  readonly parent: string | undefined
  readonly message: NewMessage
  divergence: Divergence | undefined
  person: Person | undefined
  /** The turn's own messages by id, each with its parent. */
  readonly #own = new Map<string, { readonly message: Message; readonly parentId: string | undefined }>()
  readonly #prints: ReadonlyMap<string, PromptFingerprint>
  readonly #replies: readonly Message[]
  readonly #results = new Map<string, Result>()
  readonly #answers = new Map<string, RecordedAnswer>()
  /** For each request that was opened again, the id of the first. */
  readonly #firstRequests = new Map<string, string>()
  /** Interjections, each with the number of replies before it. */
  readonly #heard: { readonly text: string; readonly after: number }[] = []
  /** Ids of calls that a hook has decided about. */
  readonly #judged: ReadonlySet<string | undefined>
  readonly #end: TurnEnded | undefined
  #calls = 0

  constructor({ events, prints, decisions }: Recorded) {
    this.#prints = prints
    this.#judged = new Set(decisions.map(({ callId }) => callId))
    this.parent = events.find(event => event.type === 'turn.started')?.parentId
    for (const event of events) this.#place(event)
    const messages = [...this.#own.values()].map(({ message }) => message)
    const said = messages.find(({ role }) => role === 'user')
    this.message = { role: 'user', content: said?.content ?? [] }
    this.#replies = messages.filter(isReply)
    this.#end = events.findLast((event): event is Event & TurnEnded => 'outcome' in event)
    this.#readPeople(events)
    this.#readTools(events)
  }

  #readPeople(events: readonly Event[]): void {
    let replies = 0
    for (const event of events) {
      if (event.type === 'message.added' && isReply(event.message)) replies++
      if (event.type === 'interjection.applied') this.#heard.push({ text: event.text, after: replies })
      this.#readRequest(event)
    }
  }
  /** A request that was opened again answers for the one before it: a turn that is not resumed asks once. */
  #readRequest(event: Event): void {
    if (event.type === 'request.opened' && event.again)
      this.#firstRequests.set(event.requestId, this.#firstRequest(event.again.requestId))
    if (event.type === 'request.answered') this.#answers.set(this.#firstRequest(event.requestId), event)
  }
  #firstRequest(requestId: string): string {
    return this.#firstRequests.get(requestId) ?? requestId
  }
  #readTools(events: readonly Event[]): void {
    const began = new Map<string, string>()
    for (const event of events) {
      if (event.type === 'tool.executing') began.set(event.callId, canonicalJson(event.args))
      if (event.type !== 'tool.completed' && event.type !== 'tool.failed') continue
      const args = began.get(event.callId)
      const { status, result: value } = event
      this.#results.set(event.callId, { status, value, ran: args !== undefined, args: args ?? '' })
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

  /** `instructions`: those that the replay itself has. `id`: the name of the model that a hook has chosen. */
  model(history: readonly Message[], instructions: string, id = 'recorded'): Model {
    const recording = this
    return {
      id,
      async *stream(prompt) {
        const reply = recording.#reply(prompt, history, instructions)
        for (const part of reply.content) yield part as Chunk
        if (reply.interrupted) recording.#interrupt()
      },
    }
  }

  /** Gives the interjections from before the first reply; later ones follow the reply that they came after. */
  begin(): void {
    this.#hear(0)
  }
  #hear(replies: number): void {
    for (const { text, after } of this.#heard) if (after === replies) this.person?.interject(text)
  }
  /** Interrupts the replayed turn if a person had interrupted the recorded one. Returns whether that was so. */
  #interrupt(): boolean {
    if (this.#end?.outcome !== 'interrupted') return false
    this.person?.interrupt(this.#end.reason)
    return true
  }

  #reply(prompt: Prompt, history: readonly Message[], instructions: string): Message {
    const call = this.#calls++
    const reply = this.#replies[call]
    const where = `model call ${call}`
    if (!reply) return this.#noReply(where)
    const path = this.#pathBefore(reply, history)
    const then = this.#prints.get(reply.id) ?? {}
    const now = promptFingerprint(promptChanges(prompt, path, instructions))
    for (const part of ['messages', 'instructions', 'params'] as const)
      if (then[part] !== now[part]) this.#diverge('prompt', where, differs(part, prompt, path, then))
    // A model that another one stood in for was asked first; that it failed is not in the record.
    if (now.model !== then.model && (now.model !== undefined || isFirst(reply, then)))
      this.#diverge('prompt', where, `its model is now ${now.model ?? "the agent's own"}`)
    this.#hear(call + 1)
    return reply
  }
  #noReply(where: string): never {
    if (this.#interrupt()) throw new TurnbuckleError('turn.interrupted', 'The turn was interrupted here.')
    if (this.#end?.outcome === 'failed' && this.#end.by === 'model') throw new Error(this.#end.reason)
    return this.#diverge('prompt', where, 'then the model was not asked again')
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

  /** The reply to a hook's own `generate` is not in the log, so such a call always diverges. */
  generated(): never {
    return this.#diverge('prompt', 'a model call of a hook', 'what a hook asks a model itself is not in the record')
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
    // A call that failed without being run or decided about: there was no such tool, or its arguments did not fit.
    if (recorded?.status === 'error' && !recorded.ran && !this.#judged.has(callId))
      throw new Error(String(recorded.value))
    if (!recorded?.ran) return this.#diverge('call', where, 'then the call was not run')
    if (recorded.args !== canonicalJson(args))
      return this.#diverge('call', where, `its arguments are now ${canonicalJson(args)}`)
    if (recorded.status === 'ok') return recorded.value
    if (recorded.status === 'interrupted') this.#interrupt()
    throw new Error(String(recorded.value))
  }

  answer(requestId: string, kind: string): RecordedAnswer | undefined {
    const answer = this.#answers.get(requestId)
    if (!answer && !this.#interrupt()) this.#note('request', kind, 'then nobody was asked this')
    return answer
  }

  #note(at: Divergence['at'], where: string, reason: string): void {
    this.divergence ??= { at, where, reason }
    this.person?.interrupt(`diverged at ${where}: ${reason}`)
  }
  #diverge(at: Divergence['at'], where: string, reason: string): never {
    this.#note(at, where, reason)
    throw new TurnbuckleError('replay.diverged', `The record does not apply any more at ${where}: ${reason}.`)
  }
}

/** A reply of the model; an assistant message with `by` was written by a hook. */
const isReply = ({ role, by }: Message): boolean => role === 'assistant' && by === undefined
/** True for the reply of a step's first attempt, by the fingerprint of its prompt. */
const isFirst = ({ id }: Message, { attempt }: PromptFingerprint): boolean =>
  (attempt ?? factsOfOldIds.attempt(id)?.attempt) === 0

function differs(
  part: 'messages' | 'instructions' | 'params',
  prompt: Prompt,
  path: readonly Message[],
  then: PromptFingerprint,
): string {
  if (part !== 'messages') return `its ${part} are now ${canonicalJson(prompt[part]).slice(0, 120)}`
  if (then.messages !== undefined) return 'then a hook had changed its messages in another way'
  const { messages } = prompt
  const first = messages.findIndex((message, i) => !isSameMessage(message, path[i]))
  return first < 0
    ? `then it had ${path.length} messages, now ${messages.length}`
    : `message ${first} is now: ${brief(messages[first])}`
}

const brief = (message: Message | undefined): string =>
  (message && (textOf(message) || canonicalJson(message.content)).slice(0, 120)) ?? ''
