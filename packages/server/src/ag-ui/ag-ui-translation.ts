import { type Event, type Message, textOf } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import { calledByRequest } from '../clients/client-tools.ts'
import { agUiInterrupt } from './ag-ui-interrupt.ts'
import { ToldMessages } from './told-messages.ts'

export interface AgUiEvent {
  readonly type: string
  readonly [detail: string]: unknown
}

interface RunTerms {
  readonly threadId: string
  readonly runId: string
  /** The messages that the client has: a snapshot repeats them. */
  readonly messages?: readonly object[]
  /** True for a call whose result the client has brought itself: it has that message already. */
  readonly isBrought?: (callId: string) => boolean
  /** True for a client of 1.0.0 or later: those before know no outcome `cancelled`. */
  readonly knowsCancelled?: boolean
}

/** Translates the events of one run into AG-UI's. */
export class AgUiTranslation {
  readonly #emit: (event: AgUiEvent) => void
  readonly #terms: RunTerms
  readonly #told = new ToldMessages()
  /** The part of a message that is being written. */
  #open: { readonly id: string; readonly of: string; readonly kind: Kind } | undefined
  /** As much of each reply as was told. */
  readonly #written = new Map<string, Record<Kind, string>>()
  /** How many messages have been made of an id. */
  readonly #parts = new Map<string, number>()
  /** Calls that are being written, with as much of their arguments as was told. */
  readonly #calls = new Map<string, string>()
  over = false

  constructor(emit: (event: AgUiEvent) => void, terms: RunTerms) {
    this.#emit = event => {
      this.#told.note(event, this.#open?.of)
      emit(event)
    }
    this.#terms = terms
  }

  /** Translates an event; true when the run is over. */
  add(event: Event | WireEvent): boolean {
    if (this.over) return true
    switch (event.type) {
      case 'message.delta':
      case 'message.text':
        this.#write(event.messageId, event.reasoning ? 'reasoning' : 'text', event)
        return false
      case 'tool.delta':
      case 'tool.text':
        this.#grow(event)
        return false
      case 'message.added':
        this.#added(event.message)
        return false
      case 'message.discarded':
        this.#withdraw(event.messageId, event.reason)
        return false
      case 'request.opened':
        // A call of the client's own tool: the run is over, and the client brings the result with the next one.
        if (calledByRequest(event) !== undefined) return this.#finish({ outcome: { type: 'success' } })
        return this.#finish({ outcome: { type: 'interrupt', interrupts: [agUiInterrupt(event)] } })
      case 'turn.completed':
      case 'turn.stopped':
        return this.#finish({
          outcome: { type: 'success' },
          result: { status: event.outcome, reason: event.reason, text: event.text },
        })
      case 'turn.interrupted':
      case 'conversation.deleted':
        return this.#finish(
          this.#terms.knowsCancelled ? { outcome: { type: 'cancelled' } } : { result: { status: 'interrupted' } },
        )
      case 'turn.failed':
        this.#closeAll()
        this.#emit({ type: 'RUN_ERROR', message: event.error ?? event.reason, code: 'turn.failed' })
        this.over = true
        return true
      default:
        if (event.type === ('ag-ui.state' as string)) this.#tellState(event as unknown as StateEvent)
        return false
    }
  }
  #tellState({ snapshot, delta }: StateEvent): void {
    this.#emit(delta ? { type: 'STATE_DELTA', delta } : { type: 'STATE_SNAPSHOT', snapshot })
  }

  /** AG-UI cannot take a message back, so the client is told which ones there are: its own, and those of this run that still count. */
  #withdraw(messageId: string, reason: string): void {
    this.#closeAll()
    this.#emit({ type: 'CUSTOM', name: 'message.discarded', value: { messageId, reason } })
    if (!this.#told.withdraw(messageId)) return
    this.#emit({ type: 'MESSAGES_SNAPSHOT', messages: [...(this.#terms.messages ?? []), ...this.#told.messages] })
  }

  #finish(more: Record<string, unknown>): true {
    this.#closeAll()
    const { threadId, runId } = this.#terms
    this.#emit({ type: 'RUN_FINISHED', threadId, runId, ...more })
    this.over = true
    return true
  }

  /** Tells more of a reply. The text of a `message.text` begins anew; its part that was told is cut off. */
  #write(id: string, kind: Kind, { text, offset }: { readonly text: string; readonly offset: number }): void {
    const written = this.#written.get(id) ?? { text: '', reasoning: '' }
    const delta = text.slice(Math.max(0, written[kind].length - offset))
    if (!delta) return
    this.#written.set(id, { ...written, [kind]: written[kind] + delta })
    this.#tellText(id, kind, delta)
  }
  #tellText(id: string, kind: Kind, delta: string): void {
    const isGoingOn = this.#open?.of === id && this.#open.kind === kind
    const messageId = isGoingOn && this.#open ? this.#open.id : this.#partId(kind === 'text' ? id : `${id}.reasoning`)
    if (!isGoingOn) {
      this.#close()
      this.#open = { id: messageId, of: id, kind }
      if (kind === 'reasoning') this.#emit({ type: 'REASONING_START', messageId })
      this.#emit(
        kind === 'text'
          ? { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }
          : { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
      )
    }
    this.#emit({ type: kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT', messageId, delta })
  }
  /** A reply may have text, thoughts and text again: each part is a message of its own, and no two have one id. */
  #partId(id: string): string {
    const count = (this.#parts.get(id) ?? 0) + 1
    this.#parts.set(id, count)
    return count === 1 ? id : `${id}.${count}`
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
    if (reply) this.#writeRest(message)
    for (const part of message.content) {
      if (part.type === 'call') this.#call(part.id, part.name, part.args, message.id)
      if (part.type === 'result' && !this.#terms.isBrought?.(part.id)) {
        const content = typeof part.value === 'string' ? part.value : JSON.stringify(part.value)
        const messageId = this.#partId(message.id)
        this.#emit({ type: 'TOOL_CALL_RESULT', messageId, toolCallId: part.id, role: 'tool', content })
      }
    }
    if (reply) this.#closeAll()
  }
  /** Tells what was not told while the reply grew: all of its text, the rest of thoughts that were begun. A reply that a hook has changed stays as told. */
  #writeRest(message: Message): void {
    const { text, reasoning } = this.#written.get(message.id) ?? { text: '', reasoning: '' }
    const whole = { text: textOf(message), reasoning: reasoningOf(message) }
    if (reasoning && whole.reasoning.startsWith(reasoning))
      this.#write(message.id, 'reasoning', { text: whole.reasoning, offset: 0 })
    if (whole.text.startsWith(text)) this.#write(message.id, 'text', { text: whole.text, offset: 0 })
    this.#close()
  }
  #call(toolCallId: string, toolCallName: string, args: unknown, parentMessageId: string): void {
    const told = this.#calls.get(toolCallId)
    const whole = JSON.stringify(args ?? {})
    if (told === undefined) this.#emit({ type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId })
    const rest = restOf(told ?? '', whole)
    if (rest) this.#emit({ type: 'TOOL_CALL_ARGS', toolCallId, delta: rest })
    this.#endCall(toolCallId)
    // AG-UI cannot withdraw the arguments of a call, so changed ones are told in an event of their own.
    if (told && !isSame(told + rest, whole))
      this.#emit({ type: 'CUSTOM', name: 'tool.args', value: { toolCallId, args } })
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

/** An event of a hook's own, `ctx.emit({ type: 'ag-ui.state', snapshot })`: the application's state, or a JSON Patch of it. */
interface StateEvent {
  readonly snapshot?: unknown
  readonly delta?: readonly unknown[]
}

type Kind = 'text' | 'reasoning'
type CallText = Extract<Event, { type: 'tool.delta' | 'tool.text' }>

const reasoningOf = ({ content }: Message): string =>
  content.map(part => (part.type === 'reasoning' ? part.text : '')).join('')

/** What is missing of arguments that were told in part, whatever space the model has put between them; nothing where they have changed. */
function restOf(told: string, whole: string): string {
  const close = told.replace(/("(?:[^"\\]|\\.)*"?)|\s+/g, '$1')
  return whole.startsWith(close) ? whole.slice(close.length) : ''
}

function isSame(told: string, whole: string): boolean {
  try {
    return JSON.stringify(JSON.parse(told)) === whole
  } catch {
    return false
  }
}
