import { interrupted } from '../base/errors.ts'
import { StageFrame } from '../hooks/stage-frame.ts'
import { buildPrompt } from '../model/prompt.ts'
import type { TurnState } from '../turn/turn-state.ts'
import { keyOf, wasEntered } from './checkpoints.ts'

/**
 * The innermost stage that was open when a process died, and that this one has not opened. Once each; `within`: one of
 * those inside of it. Undefined also where the log could not be written to: another process is to go on there.
 */
export function reopened(turn: TurnState, within: StageFrame | undefined): StageFrame | undefined {
  if (turn.parked || turn.ending?.by === 'store') return undefined
  const inside = within ? `${keyOf(within)}/` : ''
  for (const { key } of turn.past?.open ?? []) {
    const frame = key.startsWith(inside) ? reopen(turn, key) : undefined
    if (frame) return frame
  }
}

function reopen(turn: TurnState, key: string): StageFrame | undefined {
  const end = key.lastIndexOf('#')
  const [place, count] = [key.slice(0, end), Number(key.slice(end + 1))]
  if ((turn.occurrences.get(place) ?? 0) > count) return undefined
  turn.occurrences.set(place, count + 1)
  const name = /\/s-?\d+\.([^/]+)$/.exec(place)?.[1] ?? 'tool'
  if (!turn.pipeline.names.includes(name)) return undefined
  const asks = name === 'model' || name === 'generate'
  const stage = turn.pipeline.part(name)
  const frame =
    name === 'turn' ? turn.root : new StageFrame(turn, stage, turn.root, asks ? buildPrompt(turn) : undefined)
  frame.key = key
  // Of the turn itself the last word counts, and that was said.
  turn.restoredTo = Number.MAX_SAFE_INTEGER
  wasEntered(frame)
  if (frame.status === 'open') frame.broke(interrupted())
  return frame
}
