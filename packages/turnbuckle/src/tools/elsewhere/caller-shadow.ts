import { Conversation } from '../../core/agent/conversation.ts'
import { nothingSaid } from '../../core/agent/make-turn.ts'
import { Turn } from '../../core/agent/turn.ts'
import { ConversationCore } from '../../core/events/conversation-core.ts'
import { TurnState } from '../../core/turn/turn-state.ts'
import type { AgentCore } from '../../core/types/agent-core.ts'
import type { Requests } from '../../core/types/conversation-core.ts'
import type { TurnState as TurnStateType } from '../../core/types/turn-state.ts'
import { subAgentLimits } from '../sub-agent-limits.ts'
import type { CalledLevel } from './called-levels.ts'
import type { JoinedCaller } from './caller-messages.ts'
import type { SharedWithCaller } from './shared-with-caller.ts'

/** The conversation of a turn above a sub-agent in another process, as far as that sees it: questions, states, and nothing of its history. */
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
  /** The caller first, the topmost turn last. */
  readonly levels: readonly CalledLevel[]
  readonly joined: JoinedCaller
  readonly shared: SharedWithCaller
  readonly requests: Requests
}

/**
 * A turn that stands for the caller where its sub-agent is worked on: it has the caller's guards and id, runs nothing itself, and whatever is
 * told to it goes to the caller. Its parent stands for the turn that the caller works for, up to the topmost.
 */
export function makeCallerShadow(options: ShadowOptions): TurnState {
  const { levels, joined, shared } = options
  const shadow = levels.reduceRight<TurnState | undefined>(
    (parent, _, height) => shadowAt(height, parent, options),
    undefined,
  ) as TurnState
  shadow.conversation.listeners = [{ event: event => shared.tell(event), delta() {} }]
  shared.begin(joined)
  return shadow
}

function shadowAt(height: number, parent: TurnState | undefined, options: ShadowOptions): TurnState {
  const { levels, joined, shared, requests } = options
  const { call, agent, rules } = levels[height] as CalledLevel
  const { depth, deepest, client } = joined
  const conversation = new ShadowConversation(call.conversationId, agent, requests)
  const handle = new Conversation(agent, conversation, undefined)
  const caller = shared.levels[height]
  const use = rules && subAgentLimits(rules, conversation, { calls: 0 })
  const link = { depth: depth - height, deepest, client, parent, use, caller }
  const shadow = new TurnState(agent, handle, conversation, call.turnId, nothingSaid, undefined, link)
  shadow.setHandle(new Turn(shadow, shadow.settled))
  parent?.adopt(shadow)
  caller?.begin(shadow)
  return shadow
}

/** Lets go of a shadow, and of those above it. */
export function releaseShadow(shadow: TurnStateType): void {
  const { parent } = shadow
  shadow.release()
  if (parent) releaseShadow(parent)
}
