import { noteOnce } from '../base/developer-note.ts'
import { messageOf } from '../base/errors.ts'
import { isThenable } from '../base/ports.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { HookEntry } from './hook-set.ts'

/** Tells an observer. It cannot steer, and its failure is only reported, unless what failed was the telling of just that. */
export function callObserver(frame: StageFrame, entry: HookEntry, news: object): void {
  const report = (error: unknown) => {
    noteOnce(entry.owner, entry.at, () => `${entry.at} of "${entry.owner.name}" failed: ${messageOf(error)}`)
    if (!('type' in news && news.type === 'hook.failed'))
      frame.turn.tell({ type: 'hook.failed', name: entry.owner.name, point: entry.at, error: messageOf(error) })
  }
  try {
    const returned = entry.fn(news, frame.turn.agent.contextFor(frame, entry))
    if (isThenable(returned)) returned.then(undefined, report)
  } catch (error) {
    report(error)
  }
}
