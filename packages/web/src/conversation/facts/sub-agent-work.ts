import {
  type ConversationState,
  callKey,
  type LiveCall,
  type SubAgentState,
  type WireTurnStatus,
} from 'turnbuckle/client'

/** A piece of a sub-agent's work, in the order it happened. */
export type WorkItem =
  | {
      readonly type: 'text'
      readonly key: string
      /** Markdown. */
      readonly text: string
      /** It is being written. */
      readonly growing: boolean
    }
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
          if (part.type === 'text') return textItem(`${id} ${i}`, part.text, false)
          return part.type === 'call' ? [callItem(state, turnId ?? '', part.id, part.name, part.args)] : []
        })
      : [],
  )
  const growing = [...state.live.values()].flatMap(({ id, turnId, text, calls }) => [
    ...textItem(`${id} live`, text, true),
    ...calls.map(call => callItem(state, turnId, call.id, call.name, undefined)),
  ])
  return [...recorded, ...growing].slice(-most.items)
}

/** How the sub-agent's last turn stands. */
export const subAgentStatus = ({ turns }: ConversationState): WireTurnStatus =>
  [...turns.values()].at(-1)?.status ?? 'running'

function textItem(key: string, text: string, growing: boolean): readonly WorkItem[] {
  const said = text.trim()
  return said ? [{ type: 'text', key, text: endOf(said), growing }] : []
}

/** The end of a long text, from the beginning of a line where one is near. A block of code that is cut there is begun again. */
function endOf(text: string): string {
  if (text.length <= most.characters) return text
  const cut = text.length - most.characters
  const line = text.indexOf('\n', cut) + 1
  const from = line > 0 && line < cut + most.characters / 2 ? line : cut
  const fences = text.slice(0, from).match(/^ {0,3}(?:```|~~~).*$/gm) ?? []
  const open = fences.length % 2 ? `${fences.at(-1)}\n` : ''
  return `…\n\n${open}${text.slice(from)}`
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
