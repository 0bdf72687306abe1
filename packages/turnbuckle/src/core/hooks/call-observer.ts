import { noteOnce } from '../base/developer-note.ts'
import { messageOf } from '../base/errors.ts'
import { isThenable } from '../base/ports.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { HookEntry } from './hook-set.ts'

/** Tells an observer. It cannot steer, and its failure is only reported, unless what failed was the telling of just that. */
export function callObserver(frame: StageFrame, entry: HookEntry, news: object): void {
  try {
    const returned = entry.fn(news, frame.turn.agent.contextFor(frame, entry))
    if (isThenable(returned)) returned.then(undefined, error => report(frame, entry, news, error))
  } catch (error) {
    report(frame, entry, news, error)
  }
}

function report({ turn }: StageFrame, { owner, at }: HookEntry, news: object, error: unknown): void {
  noteOnce(owner, at, () => `${at} of "${owner.name}" failed: ${messageOf(error)}`)
  if (!('type' in news && news.type === 'hook.failed'))
    turn.tell({ type: 'hook.failed', name: owner.name, point: at, error: turn.hooks.clean(messageOf(error)) })
}
