import type { Message } from '../core/base/message.ts'
import type { Event } from '../core/events/events.ts'
import type { ReadyMadeEvents } from '../core/events/ready-made-events.ts'
import { StepParts } from './step-parts.ts'
import { ToldCalls } from './told-calls.ts'
import { ToldReplies } from './told-replies.ts'
import { type UIMessageChunk, uiFinishReason } from './ui-message-chunk.ts'
import { userParts } from './user-parts.ts'

/** The options of a translation. */
export interface UIMessageTranslatorOptions {
  /** The id of the UI message that the turn becomes. */
  readonly messageId: string
  /** True for a request that waits for its answer: the stream ends at an approval that does, and the next request goes on. */
  readonly isOpen: (requestId: string) => boolean
}

type Of<Type extends Event['type']> = Extract<Event, { type: Type }>

/** Families of events that the loop tells: every other event is somebody's own, and becomes a data part. */
const loopEvent =
  /^(turn|message|tool|request|interjection|history|head|title|hook|middleware|usage|log|model|agent|trace|conversation)\b/

/** Events of ready-made middleware are news of the moment; a record, so that one that is forgotten is a type error. */
const readyMade: Readonly<Record<keyof ReadyMadeEvents, true>> = {
  'agent.started': true,
  'cache.hit': true,
  'claude.notice': true,
  'critic.judged': true,
  'explore.chosen': true,
  'fallback.used': true,
  'plan.step': true,
  'plan.ready': true,
  'prompt.halved': true,
  'rate.waiting': true,
  'retry.waiting': true,
  'todo.changed': true,
  'usage.estimated': true,
}

/**
 * Translates the events of one turn, from its first, into the AI SDK's UI message stream: the turn is one assistant message, a model
 * call and its tools are a step of it.
 */
export class UIMessageTranslator {
  readonly #options: UIMessageTranslatorOptions
  #chunks: UIMessageChunk[] = []
  readonly #step = new StepParts(chunk => this.#chunks.push(chunk))
  readonly #calls = new ToldCalls(this.#step)
  readonly #replies = new ToldReplies(this.#step, this.#calls)
  /** Questions that are no approvals, by id: told as data. */
  readonly #questions = new Map<string, object>()
  #isOver = false

  constructor(options: UIMessageTranslatorOptions) {
    this.#options = options
  }

  /** True once the stream has to end: the turn has ended, or waits for an approval. */
  get isOver(): boolean {
    return this.#isOver
  }
  /** The first chunk of every stream, also of one that goes on with the message. */
  get start(): UIMessageChunk {
    return { type: 'start', messageId: this.#options.messageId }
  }

  /** The chunks that an event becomes. */
  add(event: Event): readonly UIMessageChunk[] {
    this.#chunks = []
    const family = event.type.slice(0, event.type.indexOf('.'))
    if (family === 'message') this.#addMessageEvent(event)
    else if (family === 'tool') this.#addCallEvent(event)
    else if (family === 'request') this.#addRequestEvent(event)
    else if (family === 'turn') this.#addTurnEvent(event)
    else if (!loopEvent.test(event.type)) this.#addOwnEvent(event)
    return this.#chunks
  }

  #addMessageEvent(event: Event): void {
    switch (event.type) {
      case 'message.started':
        if (event.role === 'assistant') this.#replies.begin(event.messageId)
        return
      case 'message.delta':
      case 'message.text':
        this.#replies.write(event.messageId, event.reasoning ? 'reasoning' : 'text', event)
        return
      case 'message.discarded':
        this.#replies.withdraw(event.messageId)
        return
      case 'message.added':
        this.#addMessage(event.message)
        return
      case 'message.replaced':
        if (event.message.role === 'tool') this.#addMessage(event.message)
        return
    }
  }
  #addMessage(message: Message): void {
    if (message.role === 'assistant') this.#replies.record(message)
    else if (message.role === 'tool') {
      for (const part of message.content) if (part.type === 'result') this.#calls.settle(part.id, part)
    } else if (message.role === 'user' && !message.by && !this.#replies.isEmpty) {
      this.#replies.closePart()
      this.#step.close()
      this.#step.tell({ type: 'steering-message', id: message.id, parts: userParts(message) })
    }
  }

  #addCallEvent(event: Event): void {
    switch (event.type) {
      case 'tool.delta':
      case 'tool.text':
        this.#replies.begin(event.messageId)
        this.#replies.closePart()
        this.#calls.grow(event.callId, event.name, event.messageId, event)
        return
      case 'tool.executing':
        this.#calls.show(event.callId, event.args)
        return
      case 'tool.progress':
        this.#step.tell({ type: 'data-tool-progress', data: fieldsOf(event), transient: true })
        return
      case 'tool.completed':
      case 'tool.failed':
        this.#calls.settle(event.callId, { status: event.status, value: event.result })
        return
    }
  }

  #addRequestEvent(event: Event): void {
    if (event.type === 'request.opened') this.#ask(event)
    else if (event.type === 'request.answered') {
      const { decision, reason } = (event.decision ?? {}) as { decision?: unknown; reason?: string }
      if (!this.#calls.decide(event.requestId, decision === 'allow', reason))
        this.#tellQuestion(event.requestId, { decision: event.decision })
    } else if (event.type === 'request.expired' && !this.#calls.decide(event.requestId, false, event.reason))
      this.#tellQuestion(event.requestId, { expired: event.reason })
  }
  #ask(event: Of<'request.opened'>): void {
    const { requestId, kind, payload } = event
    const callId = kind === 'permission' ? String((payload as { id?: unknown } | undefined)?.id) : ''
    // A sub-agent asks about a call of its own, which is no part of this message.
    if (!this.#calls.has(callId)) {
      const { requestId: _id, ...question } = fieldsOf(event)
      this.#questions.set(requestId, { requestId, ...question })
      this.#tellQuestion(requestId, {})
      return
    }
    this.#replies.closePart()
    this.#calls.askApproval(callId, requestId)
    if (this.#options.isOpen(requestId)) this.#end({ type: 'finish', finishReason: 'tool-calls' })
  }
  #tellQuestion(requestId: string, answer: object): void {
    const question = this.#questions.get(requestId)
    if (question) this.#step.tell({ type: 'data-request', id: requestId, data: { ...question, ...answer } })
  }

  #addTurnEvent(event: Event): void {
    switch (event.type) {
      case 'turn.started':
        this.#chunks.push(this.start)
        return
      case 'turn.completed':
      case 'turn.stopped': {
        const { outcome, reason, usage } = event
        const finishReason = uiFinishReason(event.finishReason)
        this.#end({ type: 'finish', finishReason, messageMetadata: { outcome, reason, usage } })
        return
      }
      case 'turn.interrupted':
      case 'turn.parked':
        this.#end({ type: 'abort', reason: event.reason })
        return
      case 'turn.failed':
        this.#end({ type: 'error', errorText: event.error ?? event.reason })
    }
  }
  #end(chunk: UIMessageChunk): void {
    this.#replies.closePart()
    this.#step.close()
    this.#chunks.push(chunk)
    this.#isOver = true
  }

  #addOwnEvent(event: Event): void {
    const transient = Object.hasOwn(readyMade, event.type) ? { transient: true } : {}
    this.#step.tell({ type: `data-${event.type}`, data: fieldsOf(event), ...transient })
  }
}

/** The fields of an event without its stamp. */
function fieldsOf(event: object): Record<string, unknown> {
  const {
    type: _type,
    conversationId: _id,
    seq: _seq,
    at: _at,
    turnId: _turn,
    ...fields
  } = event as Record<string, unknown>
  return fields
}
