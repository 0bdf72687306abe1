import { Conversation } from '../../core/agent/conversation.ts'
import { nothingSaid } from '../../core/agent/make-turn.ts'
import { Turn } from '../../core/agent/turn.ts'
import { ConversationCore } from '../../core/events/conversation-core.ts'
import { TurnState } from '../../core/turn/turn-state.ts'
import type { AgentCore } from '../../core/types/agent-core.ts'
import type { Requests } from '../../core/types/conversation-core.ts'
import type { JoinedCaller } from './caller-messages.ts'
import type { SharedWithCaller } from './shared-with-caller.ts'
import type { SubAgentCaller } from './sub-agent-runner.ts'

/** The caller's conversation as far as a sub-agent in another process sees it: questions, states, and nothing of its history. */
class ShadowConversation extends ConversationCore {
  readonly #relayed: Requests

  constructor(id: string, agent: AgentCore, requests: Requests) {
    super(id, agent.clock)
    this.#relayed = requests
  }
  override get requests(): Requests {
    return this.#relayed
  }
}

interface ShadowOptions {
  readonly agent: AgentCore
  readonly caller: SubAgentCaller
  readonly joined: JoinedCaller
  readonly shared: SharedWithCaller
  readonly requests: Requests
}

/**
 * A turn that stands for the caller where its sub-agent is worked on: it has the caller's guards and id, runs nothing itself, and whatever is
 * told to it goes to the caller.
 */
export function makeCallerShadow({ agent, caller, joined, shared, requests }: ShadowOptions): TurnState {
  const conversation = new ShadowConversation(caller.conversationId, agent, requests)
  const { depth, deepest, client } = joined
  const handle = new Conversation(agent, conversation, undefined)
  const link = { depth, deepest, client, caller: shared }
  const shadow = new TurnState(agent, handle, conversation, caller.turnId, nothingSaid, undefined, link)
  shadow.setHandle(new Turn(shadow, shadow.settled))
  conversation.listeners = [{ event: event => shared.tell(event), delta() {} }]
  shared.begin(shadow, joined)
  return shadow
}
