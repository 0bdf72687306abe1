import { type Event, type Message, textOf } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import { agUiInterrupt } from './ag-ui-interrupt.ts'

export interface AgUiEvent {
  readonly type: string
  readonly [detail: string]: unknown
}

interface Names {
  readonly threadId: string
  readonly runId: string
}

/** Translates the events of one run into AG-UI's. */
export class AgUiTranslation {
  readonly #emit: (event: AgUiEvent) => void
  readonly #names: Names
  /** The part of a message that is being written. */
  #open: { readonly id: string; readonly kind: 'text' | 'reasoning' } | undefined
  readonly #written = new Set<string>()
  /** Calls that are being written, with as much of their arguments as was told. */
  readonly #calls = new Map<string, string>()
  over = false

  constructor(emit: (event: AgUiEvent) => void, names: Names) {
    this.#emit = emit
    this.#names = names
  }

  /** Translates an event; true when the run is over. */
  add(event: Event | WireEvent): boolean {
    if (this.over) return true
    switch (event.type) {
      case 'message.delta':
      case 'message.text':
        this.#write(event.messageId, event.reasoning ? 'reasoning' : 'text', event.text)
        return false
      case 'tool.delta':
      case 'tool.text':
        this.#grow(event)
        return false
      case 'message.added':
        this.#added(event.message)
        return false
      case 'message.discarded':
        this.#closeAll()
        this.#emit({
          type: 'CUSTOM',
          name: 'message.discarded',
          value: { messageId: event.messageId, reason: event.reason },
        })
        return false
      case 'request.opened':
        return this.#finish({ outcome: { type: 'interrupt', interrupts: [agUiInterrupt(event)] } })
      case 'turn.completed':
      case 'turn.stopped':
        return this.#finish({
          outcome: { type: 'success' },
          result: { status: event.outcome, reason: event.reason, text: event.text },
        })
      case 'turn.interrupted':
      case 'conversation.deleted':
        return this.#finish({ outcome: { type: 'cancelled' } })
      case 'turn.failed':
        this.#closeAll()
        this.#emit({ type: 'RUN_ERROR', message: event.error ?? event.reason, code: 'turn.failed' })
        this.over = true
        return true
      default:
        return false
    }
  }

  #finish(more: Record<string, unknown>): true {
    this.#closeAll()
    this.#emit({ type: 'RUN_FINISHED', ...this.#names, ...more })
    this.over = true
    return true
  }

  #write(id: string, kind: 'text' | 'reasoning', delta: string): void {
    if (!delta) return
    const messageId = kind === 'text' ? id : `${id}.reasoning`
    if (this.#open?.id !== messageId) {
      this.#close()
      this.#open = { id: messageId, kind }
      if (kind === 'reasoning') this.#emit({ type: 'REASONING_START', messageId })
      this.#emit(
        kind === 'text'
          ? { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }
          : { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
      )
      this.#written.add(messageId)
    }
    this.#emit({ type: kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT', messageId, delta })
  }
  #close(): void {
    const open = this.#open
    this.#open = undefined
    if (!open) return
    this.#emit({ type: open.kind === 'text' ? 'TEXT_MESSAGE_END' : 'REASONING_MESSAGE_END', messageId: open.id })
    if (open.kind === 'reasoning') this.#emit({ type: 'REASONING_END', messageId: open.id })
  }

  #added(message: Message): void {
    const reply = message.role === 'assistant'
    if (reply && !this.#written.has(message.id)) this.#write(message.id, 'text', textOf(message))
    if (reply) this.#close()
    for (const part of message.content) {
      if (part.type === 'call') this.#call(part.id, part.name, part.args, message.id)
      if (part.type === 'result') {
        const content = typeof part.value === 'string' ? part.value : JSON.stringify(part.value)
        this.#emit({ type: 'TOOL_CALL_RESULT', messageId: message.id, toolCallId: part.id, role: 'tool', content })
      }
    }
    if (reply) this.#closeAll()
  }
  #call(toolCallId: string, toolCallName: string, args: unknown, parentMessageId: string): void {
    const told = this.#calls.get(toolCallId)
    const whole = JSON.stringify(args ?? {})
    if (told === undefined) this.#emit({ type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId })
    if (!told) this.#emit({ type: 'TOOL_CALL_ARGS', toolCallId, delta: whole })
    this.#endCall(toolCallId)
    // AG-UI cannot withdraw the arguments of a call, so changed ones are told in an event of their own.
    if (told && !isSame(told, whole)) this.#emit({ type: 'CUSTOM', name: 'tool.args', value: { toolCallId, args } })
  }

  /** Tells more of a call's arguments. The text of a `tool.text` begins anew; its part that was told is cut off. */
  #grow({ callId: toolCallId, name, messageId, text, offset }: CallText): void {
    const told = this.#calls.get(toolCallId)
    if (told === undefined) {
      this.#close()
      this.#emit({ type: 'TOOL_CALL_START', toolCallId, toolCallName: name, parentMessageId: messageId })
    }
    const delta = text.slice(Math.max(0, (told?.length ?? 0) - offset))
    this.#calls.set(toolCallId, (told ?? '') + delta)
    if (delta) this.#emit({ type: 'TOOL_CALL_ARGS', toolCallId, delta })
  }
  #endCall(toolCallId: string): void {
    this.#calls.delete(toolCallId)
    this.#emit({ type: 'TOOL_CALL_END', toolCallId })
  }
  /** Ends the open message and the calls that were begun and never made. */
  #closeAll(): void {
    this.#close()
    for (const id of this.#calls.keys()) this.#endCall(id)
  }
}

type CallText = Extract<Event, { type: 'tool.delta' | 'tool.text' }>

function isSame(told: string, whole: string): boolean {
  try {
    return JSON.stringify(JSON.parse(told)) === whole
  } catch {
    return false
  }
}
