import { noteOnce } from '../base/developer-note.ts'
import { messageOf, TurnbuckleError } from '../base/errors.ts'
import { isThenable } from '../base/ports.ts'
import { Directive } from '../directives/directives.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { HookEntry } from './hook-set.ts'

/** Tells an observer. It cannot steer, and its failure is only reported, unless what failed was the telling of just that. */
export function callObserver(frame: StageFrame, entry: HookEntry, news: object): void {
  try {
    const returned = entry.fn(news, frame.turn.agent.contextFor(frame, entry))
    if (isThenable(returned))
      returned.then(value => refuseDirective(entry, value)).then(undefined, error => report(frame, entry, news, error))
    else if (returned !== undefined) refuseDirective(entry, returned)
  } catch (error) {
    report(frame, entry, news, error)
  }
}

/** A directive that nobody obeys would vanish without a word. */
function refuseDirective({ at, owner }: HookEntry, returned: unknown): void {
  if (returned instanceof Directive)
    throw new TurnbuckleError(
      'directive.misplaced',
      `${at} of "${owner.name}" returned ${returned.type}, which makes no sense there. It only watches: steer in a hook of a stage, such as beforeModel or afterTool.`,
    )
}

function report({ turn }: StageFrame, { owner, at }: HookEntry, news: object, error: unknown): void {
  noteOnce(owner, at, () => `${at} of "${owner.name}" failed: ${messageOf(error)}`)
  if (!('type' in news && news.type === 'hook.failed'))
    turn.tell({ type: 'hook.failed', name: owner.name, point: at, error: turn.hooks.clean(messageOf(error)) })
}
