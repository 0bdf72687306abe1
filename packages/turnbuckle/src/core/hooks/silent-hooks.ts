import type { TurnClock } from '../async/active-clock.ts'
import { noteOnce } from '../base/developer-note.ts'

/** Active milliseconds after which a developer hears of a hook that has not answered. */
const silentMs = 5000

/** As much of a stage's frame and of a hook as is looked at here: the turn's time, which holds them, lies below both. */
interface Frame {
  readonly knownWaits: number
}
interface Entry {
  readonly owner: { readonly name: string }
  readonly at: string
}

export interface AwaitedHook {
  readonly frame: Frame
  readonly entry: Entry
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

  watch(frame: Frame, entry: Entry): AwaitedHook {
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
  if (frame.knownWaits) return
  noteOnce(owner, `${at} silent`, () => `${at} of "${owner.name}" has not answered for ${silentMs} ms.`)
}
