import { callsOf, type Message, textOf } from '../core/base/message.ts'
import { attachedPart } from './attached-part.ts'
import type { StepParts } from './step-parts.ts'
import type { ToldCalls } from './told-calls.ts'

type Kind = 'text' | 'reasoning'
type ToldText = Record<Kind, string>

/** The replies of a turn, as they were told in the UI message stream: each begins a step. */
export class ToldReplies {
  readonly #step: StepParts
  readonly #calls: ToldCalls
  readonly #told = new Map<string, ToldText>()
  /** The part that is being written. */
  #open: { readonly id: string; readonly kind: Kind; readonly messageId: string } | undefined
  #parts = 0
  /** True while the open step has no reply: the last one was withdrawn. */
  #awaitsReply = false

  constructor(step: StepParts, calls: ToldCalls) {
    this.#step = step
    this.#calls = calls
  }

  get isEmpty(): boolean {
    return this.#told.size === 0
  }

  begin(messageId: string): void {
    if (this.#told.has(messageId)) return
    this.#told.set(messageId, { text: '', reasoning: '' })
    this.closePart()
    if (!this.#awaitsReply) this.#step.close()
    this.#awaitsReply = false
    this.#step.open()
  }
  /** More of a reply. `offset`: characters of its kind before these. */
  write(messageId: string, kind: Kind, { text, offset }: { text: string; offset: number }): void {
    this.begin(messageId)
    const told = this.#told.get(messageId)
    const delta = text.slice(Math.max(0, (told?.[kind].length ?? 0) - offset))
    if (told) told[kind] += delta
    if (delta) this.#tellText(messageId, kind, delta)
  }
  #tellText(messageId: string, kind: Kind, delta: string): void {
    if (this.#open?.messageId !== messageId || this.#open.kind !== kind) {
      this.closePart()
      this.#open = { id: `${messageId}.${this.#parts++}`, kind, messageId }
      this.#step.tell({ type: `${kind}-start`, id: this.#open.id }, { messageId })
    }
    this.#step.tell({ type: `${kind}-delta`, id: this.#open.id, delta }, { messageId })
  }
  closePart(): void {
    const open = this.#open
    this.#open = undefined
    if (open) this.#step.tell({ type: `${open.kind}-end`, id: open.id }, { messageId: open.messageId })
  }

  /** The reply is recorded. One that a hook has changed since it was shown is told anew. */
  record(message: Message): void {
    const { id } = message
    this.begin(id)
    this.closePart()
    const isShown = this.#isShown(message)
    if (!isShown) this.#takeBack(id)
    this.#told.set(id, { text: textOf(message), reasoning: reasoningOf(message) })
    const own = new Set(callsOf(message).map(call => call.id))
    for (const [index, part] of message.content.entries()) {
      if (part.type === 'text' || part.type === 'reasoning') {
        if (!isShown && part.text) this.#tellText(id, part.type, part.text)
        continue
      }
      this.closePart()
      if (part.type === 'call') this.#calls.make(part, id, !own.has(part.id))
      else if (part.type === 'result') this.#calls.settle(part.id, part)
      const attached = attachedPart(part, id, index)
      if (attached) this.#step.tell(attached, { messageId: id })
    }
    this.closePart()
  }
  /** True where all that was shown of a reply is as it is recorded. */
  #isShown(message: Message): boolean {
    const told = this.#told.get(message.id)
    const made = new Set(message.content.flatMap(part => (part.type === 'call' ? [part.id] : [])))
    const isSame = told?.text === textOf(message) && told.reasoning === reasoningOf(message)
    return isSame && !this.#calls.hasUnmade(message.id, made)
  }

  /** An attempt was given up: its parts go, and the next attempt stands in the same step. */
  withdraw(messageId: string): void {
    if (!this.#told.has(messageId)) return
    this.closePart()
    this.#takeBack(messageId)
    this.#awaitsReply = true
  }
  #takeBack(messageId: string): void {
    this.#calls.forget(messageId)
    this.#step.remove(owner => owner.messageId === messageId)
  }
}

function reasoningOf(message: Message): string {
  let text = ''
  for (const part of message.content) if (part.type === 'reasoning') text += part.text
  return text
}
