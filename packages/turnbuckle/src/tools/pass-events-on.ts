import type { Event } from '../core/events/events.ts'
import type { Conversation } from '../core/types/conversation.ts'
import type { TurnState } from '../core/types/turn-state.ts'

interface SubAgent {
  readonly agent: string
  /** The caller's call that it works for. */
  readonly callId: string
  readonly conversation: Conversation
}

/**
 * Tells a sub-agent's events to whoever follows its caller, from when `begin` is called; those before wait for it. A caller whose turn
 * is over tells nothing more.
 */
export function passEventsOn(caller: TurnState, { agent, callId, conversation }: SubAgent): Passing {
  const { id: agentConversationId } = conversation
  const { clock } = caller.conversation
  let held: Event[] | undefined = []
  const pass = (event: Event) => {
    const news = { type: 'agent.event' as const, callId, agent, agentConversationId, event }
    if (held) held.push(event)
    else if (!caller.over) caller.conversation.tell(news, caller, 'passing')
  }
  const stop = conversation.subscribe({
    event: pass,
    delta: ({ reasoning, ...delta }) => {
      const common = { conversationId: agentConversationId, at: clock.now(), ...delta }
      pass({ type: 'message.delta', ...common, ...(reasoning ? { reasoning } : {}) })
    },
  })
  const begin = () => {
    const before = held ?? []
    held = undefined
    for (const event of before) pass(event)
  }
  return { begin, stop }
}

interface Passing {
  begin(): void
  stop(): void
}
