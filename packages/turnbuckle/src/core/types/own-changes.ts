import type { SpanChange } from '../hooks/span.ts'

/** The changes of one call of a hook, noted where its context makes them. */
export interface OwnChanges {
  note(what: SpanChange['what'], before: unknown, after: unknown): void
  /** Notes what a call of the hook's context changes. */
  during<Value>(act: () => Value): Value
  /** Takes into the input what is queued for it: told as a change of the hooks that queued it, not of the one that reads it. */
  refreshInput(refresh: () => void): void
}
