import type { TurnClock } from '../async/active-clock.ts'
import { noteOnce } from '../base/developer-note.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { HookEntry } from './hook-set.ts'

/** Active milliseconds after which a developer hears of a hook that has not answered. */
const silentMs = 5000

export interface AwaitedHook {
  readonly frame: StageFrame
  readonly entry: HookEntry
  /** The hook has been waited for since the last look, at least. */
  isOld: boolean
}

/**
 * Notes hooks of a turn that have not answered for a while, other than by waiting for a person or for their own model call. Instead of a
 * timer for each, which costs more than a hook, one looks at all of them every five seconds: a hook is noted by the second look at the latest.
 */
export class SilentHooks {
  readonly #clock: TurnClock
  /** A list, because few hooks are waited for at a time. */
  readonly #awaited: AwaitedHook[] = []
  #isTimed = false

  constructor(clock: TurnClock) {
    this.#clock = clock
  }

  watch(frame: StageFrame, entry: HookEntry): AwaitedHook {
    const hook = { frame, entry, isOld: !this.#isTimed }
    this.#awaited.push(hook)
    if (!this.#isTimed) this.#lookLater()
    return hook
  }
  /** The hook has answered, or waits for its `next`. */
  answered(hook: AwaitedHook): void {
    const last = this.#awaited.pop()
    if (last && last !== hook) this.#awaited[this.#awaited.lastIndexOf(hook)] = last
  }

  #lookLater(): void {
    this.#isTimed = true
    this.#clock.after(silentMs, () => this.#look())
  }
  #look(): void {
    this.#isTimed = false
    for (const hook of this.#awaited) {
      if (hook.isOld) noteSilence(hook)
      hook.isOld = true
    }
    if (this.#awaited.length) this.#lookLater()
  }
}

function noteSilence({ frame, entry: { owner, at } }: AwaitedHook): void {
  if (frame.generating) return
  noteOnce(owner, `${at} silent`, () => `${at} of "${owner.name}" has not answered for ${silentMs} ms.`)
}
