import * as is from '../kinds.ts'

/** A stretch of text that must not be seen. */
export interface Found {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** Knows some kinds of things. Both functions are pure. */
export interface Detector {
  /** The finds from `from` on. May look one character to the left of a find, and to the right as far as `hold` holds. */
  find(text: string, from: number): readonly Found[]
  /** The place from which on the text may be the beginning of a find, given what comes next; its length when it is not. */
  hold(text: string): number
}

/** A pattern to redact, with the kind of data that it finds. */
export interface Pattern {
  /** The kind of data that it finds: the word in the placeholder. */
  readonly kind: string
  /** The regular expression. */
  readonly pattern: RegExp
  /** The most characters a find has, what the pattern looks ahead included. */
  readonly longest: number
  /** A character that may occur in a find. Without it the last `longest` characters of a stream are always held back. */
  readonly chars?: RegExp
  /** Decides about a match: a check sum. */
  readonly accept?: (match: string) => boolean
}

export const isPattern = (): is.Kind =>
  is.shaped('{ kind, pattern, longest }', {
    kind: is.text,
    pattern: is.pattern,
    longest: is.number(1),
  })

export const nothing: readonly Found[] = Object.freeze([])

/** Several detectors of things made of the same characters, and a sign without which none of them finds anything. */
export const together = (sign: RegExp, detectors: readonly Detector[], hold: Detector['hold']): Detector => ({
  find: (text, from) => (sign.test(text) ? detectors.flatMap(({ find }) => find(text, from)) : nothing),
  hold,
})

/** A detector for what a regular expression matches. */
export function byPattern({ kind, pattern, longest, chars, accept }: Pattern): Detector {
  const all = new RegExp(pattern, `${pattern.flags.replace(/[gy]/g, '')}g`)
  return {
    find(text, from) {
      let found: Found[] | undefined
      all.lastIndex = from
      for (let match = all.exec(text); match; match = all.exec(text)) {
        if (!match[0]) all.lastIndex++
        else if (!accept || accept(match[0])) {
          found ??= []
          found.push({ kind, start: match.index, end: match.index + match[0].length })
        }
      }
      return found ?? nothing
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
export function findAll(text: string, detectors: readonly Detector[], from = 0): readonly Found[] {
  let found: readonly Found[] = nothing
  for (const { find } of detectors) {
    const more = find(text, from)
    if (more.length) found = found.length ? [...found, ...more] : more
  }
  return found.length > 1 ? merge(found) : found
}

function merge(found: readonly Found[]): Found[] {
  const merged: Found[] = []
  for (const next of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (!last || next.start >= last.end) merged.push(next)
    else if (next.end > last.end) merged[merged.length - 1] = { ...last, end: next.end }
  }
  return merged
}
