import { interrupted } from '../base/errors.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { Checkpoint } from '../types/unfinished-turn.ts'
import { StageFrame } from './stage-frame.ts'

/**
 * Leaves the stages that were open when a process died and that an interrupt keeps this one from opening again: `leave` runs
 * their after hooks, innermost first, each once. `within`: only those inside of it.
 */
export async function leaveReopened(
  turn: TurnState,
  leave: (frame: StageFrame) => Promise<void>,
  within?: StageFrame,
): Promise<void> {
  if (!turn.interrupted) return
  for (let frame = nextReopened(turn, within); frame; frame = nextReopened(turn, within)) await leave(frame)
}

/** The next stage to leave. None of a turn that another process is to go on with: parked, or abandoned. */
function nextReopened(turn: TurnState, within: StageFrame | undefined): StageFrame | undefined {
  if (turn.phase === 'parked' || turn.steering.ending?.abandoned) return undefined
  for (const checkpoint of turn.replay.open) {
    const isInside = !within || checkpoint.within.includes(turn.replay.keys.keyOf(within))
    const frame = isInside ? reopen(turn, checkpoint) : undefined
    if (frame) return frame
  }
}

function reopen(turn: TurnState, checkpoint: Checkpoint): StageFrame | undefined {
  if (!turn.replay.keys.take(checkpoint.key) || !turn.pipeline.names.includes(checkpoint.stage)) return undefined
  const stage = turn.pipeline.part(checkpoint.stage)
  const isRoot = turn.root.stage === stage
  const frame = isRoot ? turn.root : new StageFrame(turn, stage, turn.root, stage.reopensWith?.(turn))
  turn.replay.reopen(frame, checkpoint)
  if (frame.status === 'open') frame.fail(interrupted())
  return frame
}
