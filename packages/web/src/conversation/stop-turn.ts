import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { runningTurn } from './facts/running-turn.ts'

/** Interrupts the turn that runs at the head, if one does. */
export function stopTurn(): void {
  const { conversation } = useAppState.getState()
  const turnId = conversation && runningTurn(conversation)
  if (turnId) void callServer(client => client.interrupt(turnId))
}
