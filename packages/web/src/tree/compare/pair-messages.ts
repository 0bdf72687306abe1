/** A message of one branch and its counterpart in the other; either may be missing. */
export type Pair<Message> = readonly [Message | undefined, Message | undefined]

/** Pairs of messages that are held against each other at most: branches that are longer are paired in their order. */
const mostPairs = 10_000

/**
 * Pairs the messages of two branches so that those with many words in common stand together, in the order of both: a branch may have said
 * something more in between. Messages without a counterpart are left alone.
 */
export function pairMessages<Message extends { readonly text: string }>(
  a: readonly Message[],
  b: readonly Message[],
): Pair<Message>[] {
  if (a.length === b.length || a.length * b.length > mostPairs)
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [a[i], b[i]])
  const { together, best } = scores(a.map(wordsOf), b.map(wordsOf))
  const pairs: Pair<Message>[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length)
    if (together(i, j) === best(i, j)) pairs.push([a[i++], b[j++]])
    else if (best(i + 1, j) === best(i, j)) pairs.push([a[i++], undefined])
    else pairs.push([undefined, b[j++]])
  pairs.push(...a.slice(i).map(message => [message, undefined] as const))
  pairs.push(...b.slice(j).map(message => [undefined, message] as const))
  return pairs
}

interface Scores {
  /** The most likeness that the messages from here on can have, in the best pairs. */
  best(i: number, j: number): number
  /** The same where these two are a pair. */
  together(i: number, j: number): number
}

function scores(a: readonly ReadonlySet<string>[], b: readonly ReadonlySet<string>[]): Scores {
  const width = b.length + 1
  const known = new Float64Array((a.length + 1) * width)
  const best = (i: number, j: number) => known[i * width + j] ?? 0
  const alike = a.map(left => b.map(right => likeness(left, right)))
  const together = (i: number, j: number) => best(i + 1, j + 1) + (alike[i]?.[j] ?? 0)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      known[i * width + j] = Math.max(together(i, j), best(i + 1, j), best(i, j + 1))
  return { best, together }
}

const wordsOf = ({ text }: { readonly text: string }): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu))

/** The share of their words that two texts have in common, from 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const word of a) if (b.has(word)) common++
  return (2 * common) / Math.max(1, a.size + b.size)
}
