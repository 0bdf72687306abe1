import type { Message, Part } from './message.ts'
import type { Chunk, Usage } from './ports.ts'
import type { Run } from './run.ts'

type Growing = { type: 'text' | 'reasoning'; text: string; meta?: unknown }

/** One call of the model: the reply as it grows. An abandoned attempt's text is withdrawn on the wire. */
export class Attempt {
  readonly id: string
  readonly #run: Run
  readonly silent: boolean
  readonly #content: Part[] = []
  #growing: Growing | undefined
  /** Characters shown so far. */
  #text = 0
  #reasoning = 0
  shown = false
  usage: Usage | undefined
  finishReason: string | undefined

  /** A silent one is a hook's own: nobody is shown it. */
  constructor(run: Run, id: string, silent: boolean) {
    this.#run = run
    this.id = id
    this.silent = silent
  }

  get text(): string {
    let text = ''
    for (const part of this.#content) if (part.type === 'text') text += part.text
    return text
  }

  add(chunk: Chunk): void {
    switch (chunk.type) {
      case 'text':
      case 'reasoning':
        this.#grow(chunk)
        return
      case 'call':
        this.#growing = undefined
        this.#content.push({ ...chunk, id: this.#run.uniqueCallId(chunk.id), args: parsed(chunk.args) })
        return
      case 'usage': {
        const { type: _, ...usage } = chunk
        this.usage = usage
        return
      }
      case 'finish':
        this.finishReason = chunk.reason
        return
      case 'warning':
        this.#run.emit({ type: 'model.warning', messageId: this.id, text: chunk.text })
        return
      case 'result':
      case 'file':
      case 'source':
        this.#growing = undefined
        this.#content.push(chunk)
        return
      default:
        // A chunk of a kind we do not know yet: the model may speak a newer protocol.
        chunk satisfies never
    }
  }

  #grow(chunk: Growing): void {
    if (!chunk.text && chunk.meta === undefined) return
    if (this.#growing?.type === chunk.type) this.#growing.text += chunk.text
    else {
      this.#growing = { type: chunk.type, text: chunk.text }
      this.#content.push(this.#growing as Part)
    }
    if (chunk.text && !this.silent) this.#show(chunk)
    if (chunk.meta === undefined) return
    this.#growing.meta = chunk.meta
    this.#growing = undefined
  }

  #show({ type, text }: Growing): void {
    const run = this.#run
    if (!this.shown) {
      this.shown = true
      run.emit({ type: 'message.started', messageId: this.id, parentId: run.tip?.id, role: 'assistant' })
    }
    const reasoning = type === 'reasoning'
    run.thread.delta(run, this.id, text, reasoning ? this.#reasoning : this.#text, reasoning)
    if (reasoning) this.#reasoning += text.length
    else this.#text += text.length
  }

  /** The reply. */
  message(): Message {
    return { id: this.id, role: 'assistant', content: this.#content }
  }

  /** What is kept when it was cut: the text that was shown. A call that was not recorded never began. */
  partial(): Message | undefined {
    const content = this.#content.filter(part => part.type !== 'call' && part.type !== 'result')
    return this.shown ? { id: this.id, role: 'assistant', content, interrupted: true } : undefined
  }

  /** Tells whoever saw it that it does not count. */
  withdraw(reason: string): void {
    if (this.shown) this.#run.emit({ type: 'message.discarded', messageId: this.id, reason })
    this.shown = false
  }
}

/** JSON text becomes a value; what is no JSON (a cut stream) stays text, and such a call is never run. */
export function parsed(args: unknown): unknown {
  if (typeof args !== 'string') return args ?? {}
  if (args.trim() === '') return {}
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}
