/** A stretch of text that must not be seen. */
export interface Found {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** Knows one kind of thing. Both functions are pure. */
export interface Detector {
  readonly kind: string
  /** Where it is, from `from` on. May look one character to the left of a find, and to the right as far as `hold` holds. */
  find(text: string, from: number): readonly Omit<Found, 'kind'>[]
  /** The place from which on the text may be the beginning of a find, given what comes next; its length when it is not. */
  hold(text: string): number
}

export interface Pattern {
  readonly kind: string
  readonly pattern: RegExp
  /** The most characters a find has, what the pattern looks ahead included. */
  readonly longest: number
  /** One character that may occur in it. Without it every last `longest` characters of a stream are held back. */
  readonly chars?: RegExp
  /** Decides about a match: a check sum. */
  readonly accept?: (match: string) => boolean
}

/** A detector for what a regular expression matches. */
export function byPattern({ kind, pattern, longest, chars, accept }: Pattern): Detector {
  const flags = `${pattern.flags.replace(/[gy]/g, '')}g`
  return {
    kind,
    find(text, from) {
      const found: Omit<Found, 'kind'>[] = []
      const all = new RegExp(pattern, flags)
      all.lastIndex = from
      for (const match of text.matchAll(all))
        if (match[0] && (!accept || accept(match[0])))
          found.push({ start: match.index, end: match.index + match[0].length })
      return found
    },
    hold: text => holdRun(text, longest, chars),
  }
}

/** The last characters of a text, as many as fit and at most `longest`. */
export function holdRun(text: string, longest: number, chars?: RegExp): number {
  const least = Math.max(0, text.length - longest)
  if (!chars) return least
  let at = text.length
  while (at > least && chars.test(text.charAt(at - 1))) at--
  return at
}

/** Everything any of them finds; what overlaps becomes one. */
export function findAll(text: string, detectors: readonly Detector[], from = 0): Found[] {
  const found = detectors
    .flatMap(({ kind, find }) => find(text, from).map(({ start, end }) => ({ kind, start, end })))
    .sort((a, b) => a.start - b.start || b.end - a.end)
  const merged: Found[] = []
  for (const next of found) {
    const last = merged.at(-1)
    if (!last || next.start >= last.end) merged.push(next)
    else if (next.end > last.end) merged[merged.length - 1] = { ...last, end: next.end }
  }
  return merged
}
