import type { Event } from 'turnbuckle'

type Told = Pick<Event, 'type'> & { readonly [field: string]: unknown }

/** Follows a turn's events to know whether it does anything but wait for people. */
export class IdleWatch {
  /**
   * Calls that run now, by conversation and call, each with the conversations that it runs for, its own the last. A call that a
   * sub-agent works for is not among them: its own calls are.
   */
  readonly #calls = new Map<string, readonly string[]>()

  /** True where nothing would be lost or done twice if the turn went on in another process. */
  get isIdle(): boolean {
    return this.#calls.size === 0
  }

  hear(event: Event): void {
    this.#hear(event as Told, [event.conversationId])
  }
  #hear(event: Told, conversations: readonly string[]): void {
    const call = `${conversations.at(-1)} ${String(event['callId'])}`
    if (event.type === 'tool.executing') this.#calls.set(call, conversations)
    else if (event.type === 'tool.completed' || event.type === 'tool.failed' || event.type === 'agent.started')
      this.#calls.delete(call)
    else if (event.type === 'agent.event') {
      this.#calls.delete(call)
      this.#hearSubAgent(event['event'] as Told, [...conversations, String(event['agentConversationId'])])
    }
  }
  /**
   * Of a sub-agent whose turn was left, or has ended, nothing runs any more, nor of those below it: its worker may have been lost in the
   * middle of a call.
   */
  #hearSubAgent(event: Told, conversations: readonly string[]): void {
    this.#hear(event, conversations)
    if (event.type !== 'turn.parked' && !('outcome' in event)) return
    const left = String(conversations.at(-1))
    for (const [call, within] of this.#calls) if (within.includes(left)) this.#calls.delete(call)
  }
}
