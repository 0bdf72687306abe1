import type { Client } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { sendOneAtATime } from '../state/send-one-at-a-time.ts'
import { beginTurn } from './begin-turn.ts'

type WithoutMessage = { readonly regenerate: string } | { readonly continue: true }

/** Turns that were asked for and not begun yet: pressed twice is one turn. */
const asked = new Set<string>()

/** Begins a turn of the open conversation that has no new message, behind `parentId`, once the message before has arrived. */
function begin(turn: WithoutMessage, parentId: string | null): void {
  const { openId } = useAppState.getState()
  const press = `${openId} ${JSON.stringify(turn)}`
  if (openId === undefined || asked.has(press)) return
  asked.add(press)
  const ask = async (client: Client) => {
    // More of a branch goes on from the head: it comes to where this page looked.
    if ('continue' in turn && parentId !== null && parentId !== useAppState.getState().serverHead.id)
      await client.changeConversation(openId, { head: parentId })
    await beginTurn(client, openId, parentId, turn)
  }
  void sendOneAtATime(() => callServer(ask)).finally(() => asked.delete(press))
}

/** The question that an answer is for. */
function questionOf(messageId: string): string | null {
  const nodes = useAppState.getState().conversation?.nodes
  let node = nodes?.get(messageId)
  while (node && node.message.role !== 'user') node = nodes?.get(node.parentId ?? '')
  return node?.id ?? null
}

/** Asks for another answer beside a reply, under the same question. */
export const retryReply = (messageId: string): void => begin({ regenerate: messageId }, questionOf(messageId))

/** Goes on after a stop where this page looks, without a new message. */
export const continueReply = (): void => begin({ continue: true }, useAppState.getState().conversation?.head ?? null)

/** Tries a turn again: another answer to the question that it was for. */
export function retryTurn(turnId: string): void {
  const { conversation } = useAppState.getState()
  const last = [...(conversation?.nodes.values() ?? [])].findLast(node => node.turnId === turnId)
  const parentId = last?.id ?? conversation?.turns.get(turnId)?.parentId
  if (parentId) retryReply(parentId)
}
