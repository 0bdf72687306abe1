/** The words of two texts that the other does not have, by their places in the lists. */
export interface WordDiff {
  readonly left: ReadonlySet<number>
  readonly right: ReadonlySet<number>
}

/** Pairs of words that are compared at most: more would hold up the page, and such texts have little in common. */
const mostPairs = 4_000_000

/** Compares two texts word by word: what is in the longest sequence that both have is no difference. */
export function wordDiff(a: readonly string[], b: readonly string[]): WordDiff {
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const [sameA, sameB] = commonWords(middleA, middleB)
  const others = (middle: readonly string[], same: ReadonlySet<number>) =>
    new Set(middle.flatMap((_, i) => (same.has(i) ? [] : [start + i])))
  return { left: others(middleA, sameA), right: others(middleB, sameB) }
}

/** Indexes of the longest common sequence of words, in both lists. */
function commonWords(a: readonly string[], b: readonly string[]): [Set<number>, Set<number>] {
  const [inA, inB] = [new Set<number>(), new Set<number>()]
  if (a.length * b.length > mostPairs) return [inA, inB]
  const width = b.length + 1
  const longest = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      inA.add(i++)
      inB.add(j++)
    } else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return [inA, inB]
}
