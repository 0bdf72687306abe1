import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'

/** Moves the head of the open conversation. The page changes when the server's event arrives. */
export function moveHead(head: string): Promise<unknown> {
  const { openId } = useAppState.getState()
  return callServer(client => client.changeConversation(openId ?? '', { head }))
}
