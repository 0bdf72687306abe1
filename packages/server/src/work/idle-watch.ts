import type { Event } from 'turnbuckle'

type Told = Pick<Event, 'type'> & { readonly [field: string]: unknown }

/** Follows a turn's events to know whether it does anything but wait for people. */
export class IdleWatch {
  /** Calls that run now, by conversation and call. A call that a sub-agent works for is not among them: its own calls are. */
  readonly #calls = new Set<string>()

  /** True where nothing would be lost or done twice if the turn went on in another process. */
  get isIdle(): boolean {
    return this.#calls.size === 0
  }

  hear(event: Event): void {
    this.#hear(event as Told, event.conversationId)
  }
  #hear(event: Told, conversation: string): void {
    const call = `${conversation} ${String(event['callId'])}`
    if (event.type === 'tool.executing') this.#calls.add(call)
    else if (event.type === 'tool.completed' || event.type === 'tool.failed' || event.type === 'agent.started')
      this.#calls.delete(call)
    else if (event.type === 'agent.event')
      this.#hearSubAgent(event['event'] as Told, String(event['agentConversationId']))
  }
  /** Of a sub-agent whose turn was left, or has ended, nothing runs any more: its worker may have been lost in the middle of a call. */
  #hearSubAgent(event: Told, conversation: string): void {
    this.#hear(event, conversation)
    if (event.type !== 'turn.parked' && !('outcome' in event)) return
    for (const call of this.#calls) if (call.startsWith(`${conversation} `)) this.#calls.delete(call)
  }
}
