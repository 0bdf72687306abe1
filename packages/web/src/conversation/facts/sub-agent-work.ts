import {
  type ConversationState,
  callKey,
  type LiveCall,
  type SubAgentState,
  type WireTurnStatus,
} from 'turnbuckle/client'

/** A piece of a sub-agent's work, in the order it happened. */
export type WorkItem =
  | { readonly type: 'text'; readonly key: string; readonly text: string }
  | {
      readonly type: 'call'
      readonly key: string
      readonly name: string
      readonly args: unknown
      readonly status: LiveCall['status']
      /** Sub-agents that work for this call. */
      readonly inside: readonly SubAgentState[]
    }

/** The latest items that are shown, and the latest characters of a text. The rest is in the sub-agent's own conversation. */
const most = { items: 30, characters: 2000 }

/** The texts and calls of a sub-agent, the newest last. */
export function subAgentWork(state: ConversationState): readonly WorkItem[] {
  const recorded = [...state.nodes.values()].flatMap(({ id, turnId, message }) =>
    message.role === 'assistant'
      ? message.content.flatMap((part, i): readonly WorkItem[] => {
          if (part.type === 'text') return textItem(`${id} ${i}`, part.text)
          return part.type === 'call' ? [callItem(state, turnId ?? '', part.id, part.name, part.args)] : []
        })
      : [],
  )
  const growing = [...state.live.values()].flatMap(({ id, turnId, text, calls }) => [
    ...textItem(`${id} live`, text),
    ...calls.map(call => callItem(state, turnId, call.id, call.name, undefined)),
  ])
  return [...recorded, ...growing].slice(-most.items)
}

/** How the sub-agent's last turn stands. */
export const subAgentStatus = ({ turns }: ConversationState): WireTurnStatus =>
  [...turns.values()].at(-1)?.status ?? 'running'

function textItem(key: string, text: string): readonly WorkItem[] {
  const said = text.trim()
  return said
    ? [{ type: 'text', key, text: said.length > most.characters ? `… ${said.slice(-most.characters)}` : said }]
    : []
}

function callItem(
  { calls, agents }: ConversationState,
  turnId: string,
  callId: string,
  name: string,
  args: unknown,
): WorkItem {
  const key = callKey(turnId, callId)
  const call = calls.get(key)
  const inside = [...agents.values()].filter(agent => agent.turnId === turnId && agent.callId === callId)
  return { type: 'call', key, name, args: call?.args ?? args, status: call?.status ?? 'pending', inside }
}
