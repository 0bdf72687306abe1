import { interrupted } from '../base/errors.ts'
import { Frame } from '../hooks/stage-frame.ts'
import { buildPrompt } from '../model/prompt.ts'
import type { Run } from '../turn/turn-state.ts'
import { keyOf, wasEntered } from './checkpoints.ts'

/**
 * The innermost stage that was open when a process died, and that this one has not opened. Once each; `within`: one of
 * those inside of it. Undefined also where the log could not be written to: another process is to go on there.
 */
export function reopened(run: Run, within: Frame | undefined): Frame | undefined {
  if (run.parked || run.ending?.by === 'store') return undefined
  const inside = within ? `${keyOf(within)}/` : ''
  for (const key of run.past?.open ?? []) {
    const frame = key.startsWith(inside) ? reopen(run, key) : undefined
    if (frame) return frame
  }
}

function reopen(run: Run, key: string): Frame | undefined {
  const end = key.lastIndexOf('#')
  const [place, count] = [key.slice(0, end), Number(key.slice(end + 1))]
  if ((run.occurrences.get(place) ?? 0) > count) return undefined
  run.occurrences.set(place, count + 1)
  const name = /\/s-?\d+\.([^/]+)$/.exec(place)?.[1] ?? 'tool'
  if (!run.pipeline.names.includes(name)) return undefined
  const asks = name === 'model' || name === 'generate'
  const stage = run.pipeline.part(name)
  const frame = name === 'turn' ? run.root : new Frame(run, stage, run.root, asks ? buildPrompt(run) : undefined)
  frame.key = key
  // Of the turn itself the last word counts, and that was said.
  run.restoredTo = Number.MAX_SAFE_INTEGER
  wasEntered(frame)
  if (frame.status === 'open') frame.broke(interrupted())
  return frame
}
