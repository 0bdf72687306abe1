interface ToldMessage {
  readonly id: string
  readonly role: string
  content?: string
  readonly toolCallId?: string
  toolCalls?: ToldCall[]
}
interface ToldCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; arguments: string }
}

interface Told {
  readonly type: string
  readonly messageId?: string
  readonly parentMessageId?: string
  readonly role?: string
  readonly delta?: string
  readonly content?: string
  readonly toolCallId?: string
  readonly toolCallName?: string
}

/** The messages that a client has made of the events of a run, as it keeps them itself. */
export class ToldMessages {
  #messages: ToldMessage[] = []
  /** The reply that a message is a part of: text and thoughts are messages of their own. */
  readonly #replies = new Map<string, string>()

  get messages(): readonly ToldMessage[] {
    return this.#messages
  }

  /** `reply`: the reply whose text or thoughts a message begins with. */
  note(event: Told, reply?: string): void {
    const { messageId = '', delta = '', toolCallId = '' } = event
    switch (event.type) {
      case 'TEXT_MESSAGE_START':
      case 'REASONING_MESSAGE_START':
        this.#messages.push({ id: messageId, role: event.role ?? 'assistant', content: '' })
        if (reply !== undefined) this.#replies.set(messageId, reply)
        return
      case 'TEXT_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CONTENT': {
        const message = this.#messages.find(({ id }) => id === messageId)
        if (message) message.content = (message.content ?? '') + delta
        return
      }
      case 'TOOL_CALL_START':
        this.#call(event.parentMessageId ?? toolCallId, toolCallId, event.toolCallName ?? '')
        return
      case 'TOOL_CALL_ARGS': {
        const calls = this.#messages.flatMap(({ toolCalls = [] }) => toolCalls)
        const call = calls.find(({ id }) => id === toolCallId)
        if (call) call.function.arguments += delta
        return
      }
      case 'TOOL_CALL_RESULT':
        this.#messages.push({ id: messageId, role: 'tool', toolCallId, content: event.content ?? '' })
    }
  }

  /** Takes an attempt's messages back; false where none was told. */
  withdraw(messageId: string): boolean {
    const isOf = ({ id }: ToldMessage) => id === messageId || this.#replies.get(id) === messageId
    const left = this.#messages.filter(message => !isOf(message))
    const isLess = left.length < this.#messages.length
    this.#messages = left
    return isLess
  }

  #call(parentId: string, id: string, name: string): void {
    const known = this.#messages.find(message => message.id === parentId && message.role === 'assistant')
    const parent: ToldMessage = known ?? { id: parentId, role: 'assistant' }
    if (!known) this.#messages.push(parent)
    parent.toolCalls = [...(parent.toolCalls ?? []), { id, type: 'function', function: { name, arguments: '' } }]
  }
}
