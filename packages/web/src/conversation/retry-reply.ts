import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { randomId } from '../state/random-id.ts'
import { sendOneAtATime } from '../state/send-one-at-a-time.ts'

/** Begins a turn of the open conversation that has no new message. One press is one turn. */
function begin(turn: { readonly regenerate: string } | { readonly continue: true }): void {
  const { openId } = useAppState.getState()
  if (openId === undefined) return
  const key = randomId()
  void sendOneAtATime(() => callServer(client => client.send(openId, turn, key)))
}

/** Asks for another answer beside a reply, under the same question. */
export const retryReply = (messageId: string): void => begin({ regenerate: messageId })

/** Goes on from the head after a stop, without a new message. */
export const continueReply = (): void => begin({ continue: true })

/** Tries a turn again: another answer to the question that it was for. */
export function retryTurn(turnId: string): void {
  const { conversation } = useAppState.getState()
  const last = [...(conversation?.nodes.values() ?? [])].findLast(node => node.turnId === turnId)
  const parentId = last?.id ?? conversation?.turns.get(turnId)?.parentId
  if (parentId) retryReply(parentId)
}
