import { asSaid, type Message, type NewMessage } from '../base/message.ts'
import { checkDepth, nestingDepth } from '../base/nesting-depth.ts'
import { closeOpenCalls } from '../events/close-open-calls.ts'
import type { TreeNode } from '../history/tree.ts'
import { flatUse } from '../hooks/middleware.ts'
import { TurnState } from '../turn/turn-state.ts'
import type { AgentCore } from '../types/agent-core.ts'
import type { SendOptions } from '../types/conversation.ts'
import type { ConversationCore } from '../types/conversation-core.ts'
import type { ConversationHandle, TurnState as TurnStateType } from '../types/turn-state.ts'

/** The agent, the conversation and the handle of a turn. */
export interface TurnPlace {
  readonly agent: AgentCore
  readonly conversation: ConversationCore
  readonly handle: ConversationHandle
  /** Turns around the handle. */
  readonly depth: number
  /** The turn whose call this one works for, where it is a sub-agent's. */
  readonly parent: TurnStateType | undefined
}

/** The message of a turn that goes on from the head: its hooks see it, and nobody records it. */
export const nothingSaid: Message = { id: '', role: 'user', content: [] }

/** Makes a turn that follows `tip`. Throws where it would be nested too deep, or its middleware or message does not fit. */
export function makeTurn(
  { agent, conversation, handle, depth: around, parent }: TurnPlace,
  tip: TreeNode | undefined,
  input: string | NewMessage,
  { use: given, tag, client, id: named }: SendOptions,
): TurnState {
  const depth = Math.max(parent ? parent.depth + 1 : 0, around, nestingDepth())
  const deepest = Math.min(agent.maxDepth, parent?.deepest ?? Infinity)
  checkDepth(depth, deepest)
  const use = given && flatUse(given)
  if (use) agent.check(use)
  const id = named ?? agent.ids.next('turn')
  const message = input === nothingSaid ? nothingSaid : ownCopy(asSaid(input, ''))
  const goesOn = input === nothingSaid || undefined
  // Calls that are open there are another turn's, which runs or was left unfinished: this one goes its own way.
  // On a log another process may have closed them: they are when the turn begins, which follows the conversation's head until then.
  const origin = conversation.journal ? tip : tip && closeOpenCalls(conversation, tip)
  if (parent && parent.conversation !== conversation) conversation.caller ??= parent.id
  const link = {
    depth,
    deepest,
    parent,
    use,
    tag,
    client,
    goesOn,
    isNamed: named === undefined ? undefined : (true as const),
  }
  const turn = new TurnState(agent, handle, conversation, id, message, origin, link)
  if (goesOn) turn.branch.recordOwnMessage(true)
  if (!message.id) turn.setMessage({ ...message, id: turn.ids.of('u') })
  return turn
}

/** A copy of the caller's message: changing that one later does not change the history. */
const ownCopy = (message: Message): Message => ({ ...message, content: message.content.map(part => ({ ...part })) })
