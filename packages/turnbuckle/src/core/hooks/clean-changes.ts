import type { SpanChange } from './span.ts'

type Clean = (text: string) => string

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

/** Plain data with its texts, keys and numbers cleaned; the same copy for the same object. What is no plain data has no texts of people. */
function cleanData(value: unknown, clean: Clean, done: Map<object, unknown>): unknown {
  if (typeof value === 'string') return clean(value)
  if (typeof value === 'number') return cleanNumber(value, clean)
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  if (done.has(value)) return done.get(value)
  // A cycle ends here.
  done.set(value, undefined)
  const cleaned = Array.isArray(value)
    ? value.map(member => cleanData(member, clean, done))
    : Object.fromEntries(Object.entries(value).map(([key, member]) => [clean(key), cleanData(member, clean, done)]))
  done.set(value, cleaned)
  return cleaned
}

function cleanNumber(value: number, clean: Clean): unknown {
  const text = String(value)
  const cleaned = clean(text)
  return cleaned === text ? value : cleaned
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
