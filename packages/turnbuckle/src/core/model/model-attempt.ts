import { appended, type Call, isProviderRun, type Message, type Part, plainPart } from '../base/message.ts'
import type { Chunk, ResponseFacts } from '../base/ports.ts'
import { callUsageEvent } from '../events/event-makers.ts'
import type { CallText, MessageDelta } from '../events/events.ts'
import type { GrowingReply } from '../events/growing-reply.ts'
import type { ShownChunk } from '../hooks/hook-types.ts'
import type { TurnState } from '../types/turn-state.ts'
import { CallMeter } from './call-meter.ts'
import { joinTexts } from './join-texts.ts'
import { hasCall } from './turn-ids.ts'
import { isRefusal } from './usage.ts'

type Flowing = Extract<Chunk, { type: 'text' | 'reasoning' }>
type Growing = { type: Flowing['type']; text: string; durationMs?: number; meta?: unknown }

/** Milliseconds from which on a thought tells how long it took. */
const longThought = 1000

/** A call of the model: the reply as it grows. An abandoned attempt's text is withdrawn on the wire. */
export class ModelAttempt implements GrowingReply {
  readonly id: string
  /** The attempt's number in its step. */
  readonly number: number
  readonly meter: CallMeter
  readonly #step: number
  #silent: boolean
  readonly #turn: TurnState
  #content: Part[] = []
  #growing: Growing | undefined
  /** The time at which the thought that grows began. */
  #thoughtSince = 0
  /** Text that has come since the last delta was told. */
  #fresh = ''
  /** Characters shown so far, of text and of reasoning. */
  #text = 0
  #reasoning = 0
  /** Calls as far as their arguments have been written, by the provider's ids. */
  #written: Map<string, CallText> | undefined
  #shown = false
  /** True once the stream is over, while its usage was told nowhere. */
  #closed = false
  #cut = false
  #finishReason: string | undefined
  #response: ResponseFacts | undefined

  /** The attempt whose id the turn has made last. `silent`: a hook's own model call, of which no event is told. */
  constructor(turn: TurnState, id: string, silent: boolean) {
    this.id = id
    this.number = turn.step.lastAttempt
    this.#step = turn.step.index
    this.#silent = silent
    this.#turn = turn
    this.meter = new CallMeter(turn)
  }

  /** A hook's own model call, or a withdrawn attempt: no event is told of it. */
  get silent(): boolean {
    return this.#silent
  }
  /** True once `message.started` was told, until the attempt is withdrawn. */
  get shown(): boolean {
    return this.#shown
  }

  get text(): string {
    let text = ''
    for (const part of this.#content) if (part.type === 'text') text += part.text
    return text
  }

  /** Takes what came together, and shows it. */
  take(chunks: ShownChunk | readonly ShownChunk[]): void {
    if (!Array.isArray(chunks)) this.#takeOne(chunks as ShownChunk)
    else if (chunks.length === 1) this.#takeOne(chunks[0])
    else {
      this.#takeAll(chunks)
      this.#show()
    }
  }

  /** More of the text that grows, which is most of what comes alone, is shown without a detour. */
  #takeOne(chunk: ShownChunk): void {
    const growing = this.#growing
    if (growing?.type === 'text' && chunk.type === 'text' && chunk.meta === undefined && chunk.text)
      this.#reveal(growing, chunk.text)
    else {
      this.#add(chunk)
      this.#show()
    }
  }

  /** Text after text, which is most of what comes, is gathered on the way. */
  #takeAll(chunks: readonly ShownChunk[]): void {
    let text = ''
    let growing = this.#growing?.type === 'text'
    for (let i = 0; i < chunks.length; i++) {
      const chunk = chunks[i] as ShownChunk
      if (growing && chunk.type === 'text' && chunk.meta === undefined && !chunk.end) text += chunk.text
      else {
        this.#fresh += text
        text = ''
        this.#add(chunk)
        growing = this.#growing?.type === 'text'
      }
    }
    this.#fresh += text
  }

  #add(chunk: ShownChunk): void {
    switch (chunk.type) {
      case 'text':
      case 'reasoning':
        if (chunk.text || chunk.meta !== undefined || chunk.end) this.#grow(chunk)
        return
      case 'calling':
        this.#write(chunk)
        return
      case 'call':
        this.#put({ ...chunk, id: this.#callId(chunk.id), args: parseArguments(chunk.args) })
        return
      case 'result':
        this.#put({ ...chunk, id: this.#answered(chunk.id) })
        return
      case 'source':
        this.#show()
        this.#content = appended(this.#content, chunk)
        return
      case 'file':
      case 'custom':
        this.#put(plainPart(chunk))
        return
      case 'usage':
        this.meter.count(chunk)
        return
      case 'finish':
        if (chunk.text) this.#grow({ type: 'text', text: chunk.text })
        this.#finishReason = chunk.reason
        this.#response = chunk.response
        return
      case 'warning':
        this.#turn.tell({ type: 'model.warning', messageId: this.id, text: this.#turn.hooks.clean(chunk.text) })
        return
      case 'start':
      case 'end':
        return
      default:
        // A chunk of a kind we do not know yet: the model may speak a newer protocol.
        chunk satisfies never
    }
  }

  #callId(given: string): string {
    const id = this.#turn.ids.call(given, this.#content)
    if (given && id !== given) this.#turn.calls.rename(id, given)
    return id
  }
  /** The first call that a result by this id answers: the call may have got another one. */
  #answered(given: string): string {
    const { calls } = this.#turn
    const content = this.#content
    const call = content.find(
      ({ type, id }: Part & { id?: string }) =>
        type === 'call' &&
        calls.givenId(id ?? '') === given &&
        !content.some(part => part.type === 'result' && part.id === id),
    )
    return call ? (call as Call).id : given
  }

  /** Tells the arguments of a call as the model writes them. They become a part of the reply only with the whole call. */
  #write({ id, name, text }: Extract<Chunk, { type: 'calling' }>): void {
    this.#show()
    if (this.#silent) return
    this.#written ??= new Map()
    const known = this.#written.get(id)
    const { callId, text: before } =
      known && !hasCall(this.#content, known.callId)
        ? known
        : { callId: this.#turn.ids.call(id, this.#content), text: '' }
    this.#written.set(id, { callId, name, text: before + text, offset: 0 })
    this.#start()
    const delta = { callId, name, text, offset: before.length }
    this.#turn.conversation.tell({ type: 'tool.delta', messageId: this.id, ...delta }, this.#turn, 'passing')
  }
  /** The calls that are being written. */
  get written(): Iterable<CallText> {
    return this.#written?.values() ?? []
  }

  #put(part: Part): void {
    this.#show()
    this.#endPart()
    this.#content = appended(this.#content, part)
  }

  #grow({ type, text, meta, end }: Flowing): void {
    if (this.#growing?.type !== type) {
      if (end && !text && meta === undefined) return
      this.#show()
      this.#endPart()
      this.#growing = { type, text: '' }
      if (type === 'reasoning') this.#thoughtSince = this.#turn.agent.clock.now()
      this.#content = appended(this.#content, this.#growing as Part)
    }
    this.#fresh += text
    if (meta === undefined && !end) return
    if (meta !== undefined) this.#growing.meta = meta
    this.#show()
    this.#endPart()
  }
  /** What comes next is a part of its own. */
  #endPart(): void {
    const growing = this.#growing
    this.#growing = undefined
    if (growing?.type !== 'reasoning') return
    const durationMs = this.#turn.agent.clock.now() - this.#thoughtSince
    if (durationMs >= longThought) growing.durationMs = durationMs
  }

  /** Shows what came since the last time: deltas that came together are shown together. */
  #show(): void {
    const text = this.#fresh
    const growing = this.#growing
    if (!text || !growing) return
    this.#fresh = ''
    this.#reveal(growing, text)
  }
  #reveal(growing: Growing, text: string): void {
    growing.text += text
    if (this.#silent) return
    this.#start()
    const turn = this.#turn
    const reasoning = growing.type === 'reasoning'
    turn.journal?.partialReply(turn.id, this.id, text, reasoning)
    turn.conversation.passDelta(this.#delta(text, reasoning), turn)
    if (reasoning) this.#reasoning += text.length
    else this.#text += text.length
  }
  #delta(text: string, reasoning: boolean): MessageDelta {
    const type = 'message.delta'
    if (reasoning) return { type, messageId: this.id, text, offset: this.#reasoning, reasoning }
    return { type, messageId: this.id, text, offset: this.#text }
  }

  #start(): void {
    if (this.#shown) return
    this.#shown = true
    const turn = this.#turn
    const { id: messageId, number: attempt } = this
    turn.journal?.note(turn.id, { note: 'attempt', messageId, step: this.#step, attempt })
    turn.tell({ type: 'message.started', messageId: this.id, parentId: turn.branch.tip?.id, role: 'assistant' })
  }

  /** Counts the attempt as a model call of its own, not as part of a managed loop's. */
  bill(): void {
    this.meter.bill()
  }

  /** The model failed. A request that was refused with nothing to show is not charged; what broke off may be. */
  fail(error: unknown): void {
    if (isRefusal(error) && !this.#content.length) this.meter.end(true)
    this.close(true)
  }

  /** Something ended the attempt before the model did. */
  cutOff(): void {
    this.#cut = true
  }

  /** The stream is over: its usage counts, also when it failed. */
  close(failed = false): void {
    const turn = this.#turn
    const { usage } = this.meter
    const finishReason = this.#finishReason
    this.meter.end()
    if (this.#silent || turn.step.attempt !== this) return
    turn.time.tick()
    turn.step.closeAttempt(usage, finishReason, this.#response)
    this.#closed = true
    if (failed) this.#tellUsage()
    // A reply that a hook has cut off counts with its stage, and the directive with it: until that is left, the call is not finished.
    if (failed || this.#cut || !turn.journal) return
    const facts = { step: this.#step, attempt: this.number, total: turn.spent.usage }
    turn.journal.note(turn.id, { note: 'reply', message: this.message(), usage, finishReason, ...facts })
  }

  /** Tells what an attempt has used that becomes no message, once. */
  #tellUsage(): void {
    const { usage } = this.meter
    this.#closed = false
    if (usage) this.#turn.tell(callUsageEvent(this, 'model', usage, this.#step))
  }

  /** The reply, marked where it is not whole. */
  message(): Message {
    const { id } = this
    const content = joinTexts(this.#content)
    if (this.#cut || this.#finishReason === 'length' || content.some(isTorn))
      return { id, role: 'assistant', content, interrupted: true }
    return { id, role: 'assistant', content }
  }

  /** The text that was shown, which is kept when the attempt is cut. A call that was not recorded never began. */
  partial(): Message | undefined {
    const content = joinTexts(this.#content.filter(part => part.type !== 'call' && part.type !== 'result'))
    return this.#shown && content.length ? { id: this.id, role: 'assistant', content, interrupted: true } : undefined
  }

  /** Tells whoever saw the attempt that it does not count. A wrap may have two under way at once: this one is silent from now on. */
  withdraw(reason: string): void {
    if (this.#shown) this.#turn.tell({ type: 'message.discarded', messageId: this.id, reason })
    if (this.#closed) this.#tellUsage()
    this.#shown = false
    this.#silent = true
  }
}

/** A call whose arguments are no JSON: the stream was cut inside it. */
const isTorn = (part: Part): boolean => part.type === 'call' && typeof part.args === 'string' && !isProviderRun(part)

/** JSON text becomes a value; what is no JSON (a cut stream) stays text, and such a call is never run. */
export function parseArguments(args: unknown): unknown {
  if (typeof args !== 'string') return args ?? {}
  if (args.trim() === '') return {}
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}
