import { useAppState } from '../../state/app-state.ts'
import { callServer } from '../../state/call-server.ts'
import { mergeSpans, numberSpans } from '../facts/spans.ts'

/** Asks the server for the spans of a turn: ended stages and hooks, and those that run now. */
export async function loadSpans(turnId: string): Promise<void> {
  const trace = await callServer(client => client.trace(turnId))
  if (!trace) return
  const told = numberSpans([...trace.spans, ...trace.open])
  useAppState.setState({ spans: mergeSpans(useAppState.getState().spans, turnId, told) })
}
