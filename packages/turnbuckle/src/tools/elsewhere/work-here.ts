import type { Turn } from '../../core/types/turn.ts'
import type { TurnState } from '../../core/types/turn-state.ts'
import type { RelayedRequests } from './relayed-requests.ts'
import type { SharedWithCaller } from './shared-with-caller.ts'
import type { SubAgentCaller } from './sub-agent-runner.ts'

/** A sub-agent's turn that is worked on here for a caller elsewhere: its own sub-agents reach those above through it. */
export interface WorkHere {
  /** The call that it works for. */
  readonly call: SubAgentCaller
  readonly shared: SharedWithCaller
  readonly requests: RelayedRequests
}

const works = new WeakMap<Turn, WorkHere>()

export function noteWork(turn: Turn, work: WorkHere): void {
  works.set(turn, work)
}

export const workOf = (turn: TurnState): WorkHere | undefined => works.get(turn.handle)
