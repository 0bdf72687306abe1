import { type Event, textOf } from 'turnbuckle'

/** A reply as an output item of a response. */
export interface ResponseItem {
  readonly id: string
  readonly type: 'message'
  readonly role: 'assistant'
  readonly status: 'in_progress' | 'completed' | 'incomplete'
  readonly content: readonly object[]
}

interface OpenItem {
  readonly id: string
  readonly index: number
  text: string
}

/** The output items of a response, and the events that tell of them: each reply with text is one. */
export class ResponseItems {
  #open: OpenItem | undefined
  #count = 0
  /** The items that count: attempts that were given up are none. */
  readonly done: ResponseItem[] = []

  /** The events of the stream that an event of the turn adds. */
  add(event: Event): object[] {
    if ((event.type === 'message.delta' || event.type === 'message.text') && !event.reasoning)
      return this.#grow(event.messageId, event)
    if (event.type === 'message.discarded') return this.#open?.id === event.messageId ? this.close('incomplete') : []
    if (event.type !== 'message.added' || event.role !== 'assistant') return []
    const text = textOf(event.message)
    const { messageId } = event
    // A reply that a hook has changed since it was shown is told anew, as an item of its own.
    const isChanged = this.#open?.id === messageId && !text.startsWith(this.#open.text)
    const withdrawn = isChanged ? this.close('incomplete') : []
    const grown = text ? this.#grow(messageId, { text, offset: 0 }) : []
    return [...withdrawn, ...grown, ...this.close('completed')]
  }

  #grow(id: string, { text, offset }: { readonly text: string; readonly offset: number }): object[] {
    const events = this.#open?.id === id ? [] : [...this.close('completed'), ...this.#begin(id)]
    const open = this.#open
    const delta = open ? text.slice(Math.max(0, open.text.length - offset)) : ''
    if (!open || !delta) return events
    open.text += delta
    return [...events, { type: 'response.output_text.delta', ...placeOf(open), delta, logprobs: [] }]
  }
  #begin(id: string): object[] {
    const open = { id, index: this.#count++, text: '' }
    this.#open = open
    const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] }
    return [
      { type: 'response.output_item.added', output_index: open.index, item },
      { type: 'response.content_part.added', ...placeOf(open), part: outputText('') },
    ]
  }
  /** Ends the item that is being written. */
  close(status: 'completed' | 'incomplete'): object[] {
    const open = this.#open
    if (!open) return []
    this.#open = undefined
    const part = outputText(open.text)
    const item: ResponseItem = { id: open.id, type: 'message', role: 'assistant', status, content: [part] }
    if (status === 'completed') this.done.push(item)
    return [
      { type: 'response.output_text.done', ...placeOf(open), text: open.text, logprobs: [] },
      { type: 'response.content_part.done', ...placeOf(open), part },
      { type: 'response.output_item.done', output_index: open.index, item },
    ]
  }
}

const outputText = (text: string): object => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const placeOf = ({ id, index }: OpenItem): object => ({ item_id: id, output_index: index, content_index: 0 })
