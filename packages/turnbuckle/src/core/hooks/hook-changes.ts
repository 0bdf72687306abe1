import { none } from '../base/lists.ts'
import { isToolResult } from '../base/message.ts'
import type { OwnChanges } from '../types/own-changes.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { cleanChanges } from './clean-changes.ts'
import type { HookEntry } from './hook-set.ts'
import { middlewareState } from './middleware-state.ts'
import type { SpanChange } from './span.ts'

type Kind = SpanChange['what']

/**
 * The changes that one call of a hook makes, noted where the hook makes them: what the turn records inside a wrap's `next`, and what
 * hooks of other calls do meanwhile, is not among them. Contract: values are references, since what a hook changes is replaced.
 */
export class HookChanges implements OwnChanges {
  readonly #frame: StageFrame
  readonly #entry: HookEntry
  #noted: readonly SpanChange[] = none
  /** The stage's input as the hook found it: a copy, where hooks write to it. */
  #input: unknown

  constructor(frame: StageFrame, entry: HookEntry) {
    this.#frame = frame
    this.#entry = entry
    this.#input = this.#copiedInput()
  }

  note(what: Kind, before: unknown, after: unknown): void {
    if (before === after) return
    const last = this.#noted.findLastIndex(change => change.what === what)
    const earlier = this.#noted[last]
    // A change that goes on from the hook's last one is one with it.
    this.#noted =
      earlier && earlier.after === before
        ? this.#noted.with(last, { what, before: earlier.before, after })
        : [...this.#noted, { what, before, after }]
  }

  during<Value>(act: () => Value): Value {
    const before = this.#standing()
    try {
      return act()
    } finally {
      const after = this.#standing()
      for (const what of ['messages', 'state', 'instructions'] as const) this.note(what, before[what], after[what])
    }
  }
  #standing(): Readonly<Record<'messages' | 'state' | 'instructions', unknown>> {
    const { turn } = this.#frame
    return {
      messages: turn.branch.tip,
      state: middlewareState(turn, this.#entry.owner),
      instructions: turn.hookData.instructions,
    }
  }

  refreshInput(refresh: () => void): void {
    this.#noteInput()
    refresh()
    this.#input = this.#copiedInput()
  }
  /** Notes the input that a wrap passes on. */
  passOn(given: unknown, passed: unknown): void {
    if (passed !== undefined && !this.#isSameInput(given, passed)) this.note('input', given, passed)
  }

  /** The changes of a hook that has returned. */
  list(): readonly SpanChange[] {
    if (this.#entry.point !== 'wrap') this.#noteInput()
    const changed = this.#noted.filter(({ before, after }) => before !== after)
    return changed.length ? this.#cleaned(changed) : none
  }
  #cleaned(changed: readonly SpanChange[]): readonly SpanChange[] {
    const { stage, turn } = this.#frame
    const results = changed.map(change => {
      if (change.what !== 'result') return change
      return { what: change.what, before: this.#cleanResult(change.before), after: this.#cleanResult(change.after) }
    })
    const { redact } = turn.hooks
    if (!redact) return results
    // A text that is to be taken out may lie across pieces: the pieces alone show it.
    const whole = results.filter(({ what }) => what !== 'chunk')
    return cleanChanges(whole, redact, stage.cleanInput)
  }
  #cleanResult(value: unknown): unknown {
    const { stage, turn } = this.#frame
    const clean = (one: unknown) => turn.hooks.cleanResult(isToolResult(one) ? one : { status: 'ok', value: one })
    if (stage.takes === 'call') return value === undefined ? value : clean(value)
    return stage.takes === 'calls' && Array.isArray(value) ? value.map(clean) : value
  }

  #noteInput(): void {
    if (!this.#isSameInput(this.#input, this.#frame.input)) this.note('input', this.#input, this.#copiedInput())
  }
  #copiedInput(): unknown {
    const { stage, input } = this.#frame
    return stage.copyInput && input !== undefined ? stage.copyInput(input) : input
  }
  #isSameInput(was: unknown, is: unknown): boolean {
    if (was === is) return true
    return was !== undefined && is !== undefined && (this.#frame.stage.isSameInput?.(was, is) ?? false)
  }
}
