import { type Clean, cleanData } from '../base/clean-data.ts'
import type { SpanChange } from './span.ts'

/**
 * What a hook changed, without what the redactors take out: the span of a redactor would keep just that. Messages on the tree were cleaned
 * before they were recorded.
 */
export function cleanChanges(
  changed: readonly SpanChange[],
  clean: Clean,
  cleanInput: ((input: unknown, clean: Clean) => unknown) | undefined,
): readonly SpanChange[] {
  return changed.map(change => {
    const { what, before, after } = change
    if (what === 'messages') return change
    if (what === 'input' && cleanInput)
      return { what, before: cleanInput(before, clean), after: cleanInput(after, clean) }
    const done = new Map<object, unknown>()
    return { what, before: cleanData(before, clean, done), after: cleanData(after, clean, done) }
  })
}
