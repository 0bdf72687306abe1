import { type Detector, type Found, findAll } from './detect.ts'

/** The end of a stream that is not decided yet. */
export interface Held {
  /** The last character that was let through: what a find may look back at. */
  readonly before: string
  readonly text: string
}

export const nothingHeld: Held = Object.freeze({ before: '', text: '' })

export interface Decided {
  /** The text that can be let through, once the finds in it are replaced. */
  readonly text: string
  readonly found: readonly Found[]
  readonly held: Held
}

/**
 * Takes the next piece of a stream. However the text is cut into pieces, the same is found as in the whole, and nothing
 * of a find is let through before the find is complete. `last`: nothing follows, so nothing is held.
 */
export function decide(held: Held, piece: string, detectors: readonly Detector[], last: boolean): Decided {
  if (!held.text && !piece) return { text: '', found: [], held }
  const all = held.before + held.text + piece
  const from = held.before.length
  const found = findAll(all, detectors, from)
  const cut = last ? all.length : Math.max(from, cutAt(all, found, detectors))
  return {
    text: all.slice(from, cut),
    found: found.filter(({ end }) => end <= cut).map(f => ({ ...f, start: f.start - from, end: f.end - from })),
    held: { before: cut > 0 ? all.charAt(cut - 1) : '', text: all.slice(cut) },
  }
}

function cutAt(text: string, found: readonly Found[], detectors: readonly Detector[]): number {
  let cut = text.length
  for (const detector of detectors) cut = Math.min(cut, detector.hold(text))
  for (const { start, end } of found.toReversed()) if (start < cut && end > cut) cut = start
  // Half of a surrogate pair cannot be sent.
  const last = text.charCodeAt(cut - 1)
  return cut > 0 && cut < text.length && last >= 0xd800 && last < 0xdc00 ? cut - 1 : cut
}
