import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { accessTo } from './facts/access-to.ts'
import { runningTurn } from './facts/running-turn.ts'

/** Interrupts the turn that runs at the head, if one does, and the person may. */
export function stopTurn(): void {
  const app = useAppState.getState()
  const { conversation, openId } = app
  if (accessTo(app, openId) === 'read') return
  const turnId = conversation && runningTurn(conversation)
  if (turnId) void callServer(client => client.interrupt(turnId))
}
