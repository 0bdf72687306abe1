/** A run of words of one text: `changed` where the other text does not have them. */
export interface Words {
  readonly text: string
  readonly changed: boolean
}

export interface WordDiff {
  readonly left: readonly Words[]
  readonly right: readonly Words[]
}

/** Pairs of words that are compared at most: more would hold up the page, and such texts have little in common. */
const mostPairs = 4_000_000

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** What two texts have in common, word by word. Their runs, put together, are the texts. */
export function wordDiff(left: string, right: string): WordDiff {
  const [a, b] = [wordsOf(left), wordsOf(right)]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const [sameA, sameB] = commonWords(middleA, middleB)
  const runs = (words: readonly string[], same: ReadonlySet<number>) =>
    join(words.map((text, i) => ({ text, changed: i >= start && i < words.length - end && !same.has(i - start) })))
  return { left: runs(a, sameA), right: runs(b, sameB) }
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

function join(words: readonly Words[]): Words[] {
  const runs: { text: string; changed: boolean }[] = []
  for (const { text, changed } of words) {
    const last = runs.at(-1)
    if (last?.changed === changed) last.text += text
    else runs.push({ text, changed })
  }
  return runs
}
