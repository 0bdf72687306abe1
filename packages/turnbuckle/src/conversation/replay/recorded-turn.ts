import { canonicalJson } from '../../core/base/canonical-json.ts'
import { TurnbuckleError } from '../../core/base/errors.ts'
import {
  endsInProviderWork,
  type Message,
  type NewMessage,
  type Part,
  type ToolResult,
} from '../../core/base/message.ts'
import { type Chunk, type Clock, type Model, type Prompt, systemClock, type Usage } from '../../core/base/ports.ts'
import type { Decision } from '../../core/directives/directives.ts'
import { promptChanges } from '../../core/durable/prompt-changes.ts'
import type { Event, TurnEnded } from '../../core/events/events.ts'
import { ownInstructions } from '../../core/model/build-prompt.ts'
import { tool } from '../../core/tools/tool.ts'
import type { Tool } from '../../core/types/tool.ts'
import { factsOfOldIds } from '../read/facts-of-old-ids.ts'
import { divergedRank, type HookPlace } from './compare-decisions.ts'
import { type PlacedMessage, placedMessages } from './placed-messages.ts'
import { promptDifference } from './prompt-difference.ts'
import { type PromptFingerprint, promptFingerprint } from './prompt-fingerprint.ts'
import { type RecordedEnd, RecordedRequests } from './recorded-requests.ts'
import { isReplacedBy, RecordedTools } from './recorded-tools.ts'
import { RecordedUsage } from './recorded-usage.ts'

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

/** A turn that can be replayed: gives the replies, results, answers and interjections of its record in their order. */
export class RecordedTurn {
  readonly parent: string | undefined
  /** The message that began the turn; undefined where it was refused before the record had it. */
  readonly message: NewMessage | undefined
  divergence: Divergence | undefined
  /** The place in the order of hooks at which the replay diverged. */
  divergedAt: HookPlace | undefined
  /** The error of choosing a stand-in: the caller's mistake, not the turn's. */
  mistake: { readonly error: unknown } | undefined
  /** Called once, before the replayed turn is interrupted. */
  onDivergence: () => void = () => {}
  person: Person | undefined
  /** The index of the replayed turn's step. */
  step = 0
  /** The turn's own messages by id, in the order they were recorded. */
  readonly #own: ReadonlyMap<string, PlacedMessage>
  readonly #prints: ReadonlyMap<string, PromptFingerprint>
  readonly #replies: readonly Message[]
  readonly usage: RecordedUsage
  readonly #tools: RecordedTools
  readonly #requests: RecordedRequests
  /** Interjections, each with the number of replies before it. */
  readonly #heard: { readonly text: string; readonly after: number }[] = []
  readonly #decisions: readonly Decision[]
  readonly #end: TurnEnded | undefined
  #calls = 0
  /** The step whose model has replied last in the replay. */
  #repliedIn = -1
  #time: number

  constructor({ events, prints, decisions }: Recorded) {
    this.#prints = prints
    this.#decisions = decisions
    const started = events.find(event => event.type === 'turn.started')
    this.parent = started?.parentId
    this.#time = started?.at ?? 0
    this.#own = new Map(events.flatMap(placedMessages).map(placed => [placed.message.id, placed]))
    const said = this.messages.find(({ role }) => role === 'user')
    this.message = said && { role: 'user', content: said.content }
    this.#replies = this.messages.filter(isReply)
    this.#end = events.findLast((event): event is Event & TurnEnded => 'outcome' in event)
    this.#requests = new RecordedRequests(events)
    this.#readInterjections(events)
    this.#tools = new RecordedTools(events, decisions)
    this.usage = new RecordedUsage(events, this.#end)
  }

  #readInterjections(events: readonly Event[]): void {
    let replies = 0
    const tools = new Set<string>()
    for (const event of events) {
      if (event.type === 'message.added' && isReply(event.message)) replies++
      if (event.type === 'tool.executing') tools.add(event.name)
      // A hook says its own again; a tool does not run.
      if (event.type === 'interjection.applied' && (event.by === undefined || tools.has(event.by)))
        this.#heard.push({ text: event.text, after: replies })
    }
  }
  /** All messages of the turn, on all its branches, in the order they were recorded. */
  get messages(): readonly Message[] {
    return [...this.#own.values()].map(({ message }) => message)
  }
  /** The turn's usage with this middleware. `now`: what the replay itself has counted. */
  usageNow(now: Usage): Usage {
    return this.divergence ? now : this.usage.withBesides(now, this.#replies)
  }

  /** Stands at the time of the record, so that limits of time see the time it took then. Timers run in real time. */
  readonly clock: Clock = { ...systemClock, now: () => this.#time }
  #reach(at: number | undefined): void {
    this.#time = Math.max(this.#time, at ?? 0)
  }

  /** `instructions`: those that the replay itself has. `id`: the name of the model that a hook has chosen. */
  model(history: readonly Message[], instructions: string, id = 'recorded'): Model {
    const recording = this
    return {
      id,
      async *stream(prompt) {
        const reply = recording.#reply(prompt, history, instructions)
        for (const part of reply.content) yield chunkOf(part)
        yield* recording.#ending(reply)
        if (reply.interrupted) recording.#interrupt()
      },
    }
  }
  *#ending(reply: Message): Generator<Chunk> {
    const usage = this.usage.chunk(reply)
    if (usage) yield usage
    const isLast = reply === this.#replies.at(-1)
    const reason = isLast ? this.#end?.finishReason : endsInProviderWork(reply) ? 'pause' : undefined
    if (reason !== undefined) yield { type: 'finish', reason }
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
    const now = fingerprintNow(prompt, path, instructions, then)
    for (const part of ['messages', 'instructions', 'params'] as const)
      if (then[part] !== now[part]) this.#diverge('prompt', where, promptDifference(part, prompt, path, then))
    // A model that another one stood in for was asked first; that it failed is not in the record.
    if (now.model !== then.model && (now.model !== undefined || isFirst(reply, then)))
      this.#diverge('prompt', where, `its model is now ${now.model ?? "the agent's own"}`)
    this.#repliedIn = this.step
    this.#reach(this.#own.get(reply.id)?.at)
    this.#hear(call + 1)
    return reply
  }
  #noReply(where: string): never {
    if (this.#interrupt()) throw new TurnbuckleError('turn.interrupted', 'The turn was interrupted here.')
    if (this.#end?.outcome === 'failed' && this.#end.by === 'model') throw recordedError(this.#end.reason)
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

  /** Chooses a stand-in. Where that throws, the replayed turn ends: nothing it did behind that would say anything. */
  choosing<StandIn>(choose: () => StandIn): StandIn | undefined {
    try {
      return choose()
    } catch (error) {
      this.mistake ??= { error }
      this.person?.interrupt('a stand-in could not be chosen')
      return undefined
    }
  }

  /** The reply to a hook's own `generate` is not in the log, so such a call diverges where no stand-in answers it. */
  generated(): never {
    return this.#diverge('prompt', 'a model call of a hook', 'what a hook asks a model itself is not in the record')
  }

  /** Stand-ins for the tools that were called, with the schemas of `given`. `except`: the names of tools that middleware brings. */
  tools(given: readonly Tool[], except: ReadonlySet<string>): Tool[] {
    const names = this.#replies.flatMap(({ content }) =>
      content.flatMap(part => (part.type === 'call' ? [part.name] : [])),
    )
    const missing = [...new Set(names)].filter(name => !except.has(name))
    return missing.map(name => this.recorded(given.find(tool => tool.name === name) ?? tool({ name, run: () => {} })))
  }

  /** The tool with the recorded results in the place of its work. */
  recorded(tool: Tool): Tool {
    return { ...tool, run: (_args, { call }) => this.#result(tool.name, call.id, call.args) }
  }
  /** The recorded result of a call; throws where it was an error, or the record does not apply. */
  #result(name: string, callId: string, args: unknown): unknown {
    const recorded = this.#tools.result(callId)
    const where = `${name} (${callId})`
    if (this.#tools.isRefused(callId)) throw recordedError(recorded?.value)
    if (!recorded?.ran) return this.#diverge('call', where, 'then the call was not run')
    if (recorded.args !== canonicalJson(args))
      return this.#diverge('call', where, `its arguments are now ${canonicalJson(args)}`)
    this.#reach(recorded.at)
    if (recorded.status === 'interrupted') this.#interrupt()
    if (recorded.status === 'ok') return recorded.value
    throw recordedError(recorded.value)
  }

  /** The result that the record has in place of the one a tool and its hooks gave, or undefined where that one counts. */
  keptResult(callId: string, inUse: ReadonlySet<string>): ToolResult | undefined {
    return this.divergence ? undefined : this.#tools.kept(callId, inUse)
  }
  /** The reply that was just given, where a hook of `inUse` had replaced it and would do so a second time. */
  keptReply(inUse: ReadonlySet<string>): Message | undefined {
    const isReplaced = this.#decisions.some(made => made.step === this.step && isReplacedBy(made, 'afterModel', inUse))
    return isReplaced && !this.divergence ? this.#replies[this.#calls - 1] : undefined
  }

  /** The end of a request in the record. Where there is none and nobody stood in, the replay diverges (`unanswered`). */
  requestEnd(requestId: string): RecordedEnd | undefined {
    const end = this.#requests.end(requestId)
    this.#reach(end?.at)
    return end
  }
  unanswered(kind: string, reason = 'then nobody was asked this'): void {
    if (!this.#interrupt()) this.#note('request', kind, reason)
  }

  #note(at: Divergence['at'], where: string, reason: string): void {
    if (!this.divergence) {
      this.divergence = { at, where, reason }
      const isInTools = at === 'call' || (at === 'request' && this.#repliedIn === this.step)
      this.divergedAt = { step: this.step, rank: divergedRank[isInTools ? 'call' : 'prompt'] }
      this.onDivergence()
    }
    this.person?.interrupt(`diverged at ${where}: ${reason}`)
  }
  #diverge(at: Divergence['at'], where: string, reason: string): never {
    this.#note(at, where, reason)
    throw new TurnbuckleError('replay.diverged', `The record does not apply any more at ${where}: ${reason}.`)
  }
}

/**
 * The fingerprint of a prompt of the replay. Logs of the first version have text of the project (AGENTS.md) among what hooks had added:
 * where that fits, it counts as added now too.
 */
function fingerprintNow(
  prompt: Prompt,
  path: readonly Message[],
  instructions: string,
  then: PromptFingerprint,
): PromptFingerprint {
  const added = promptFingerprint(promptChanges(prompt, path, instructions))
  if (added.instructions === then.instructions) return added
  return promptFingerprint(promptChanges(prompt, path, ownInstructions(prompt) ?? instructions))
}

/** An error of the record. Not worth another attempt: the record has the last one. */
const recordedError = (value: unknown): Error => Object.assign(new Error(String(value)), { retryable: false })

/** A reply of the model; an assistant message with `by` was written by a hook. */
const isReply = ({ role, by }: Message): boolean => role === 'assistant' && by === undefined
/** True for the reply of a step's first attempt, by the fingerprint of its prompt. */
const isFirst = ({ id }: Message, { attempt }: PromptFingerprint): boolean =>
  (attempt ?? factsOfOldIds.attempt(id)?.attempt) === 0

/** A part as the chunk that makes it: the next one of its kind is another part, also without data of the provider's. */
const chunkOf = (part: Part): Chunk =>
  part.type === 'text' || part.type === 'reasoning' ? { ...part, end: true } : part
