/**
 * Items whose text has all letters of the query in their order, the best first: letters side by side, at the beginning
 * of words, and in short texts count. An empty query leaves all as they are.
 */
export function fuzzyRank<Item>(
  items: readonly Item[],
  query: string,
  textOf: (item: Item) => string,
  most = Infinity,
): readonly Item[] {
  const wanted = query.toLowerCase().replace(/\s+/g, '')
  if (!wanted) return items.slice(0, most)
  return items
    .flatMap(item => {
      const score = scoreOf(textOf(item), wanted)
      return score === undefined ? [] : [{ item, score }]
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ item }) => item)
}

/** Undefined where a letter is missing. */
function scoreOf(text: string, wanted: string): number | undefined {
  const whole = text.toLowerCase()
  const together = whole.lastIndexOf(wanted)
  if (together >= 0) return 1000 + (isWordStart(text, together) ? 100 : 0) - whole.length
  let score = 0
  let at = -1
  for (const letter of wanted) {
    const found = whole.indexOf(letter, at + 1)
    if (found < 0) return undefined
    score += (found === at + 1 ? 5 : 0) + (isWordStart(text, found) ? 8 : 0)
    at = found
  }
  return score - whole.length / 10
}

const isWordStart = (text: string, at: number): boolean =>
  at === 0 ||
  /[^a-zA-Z\d]/.test(text[at - 1] ?? '') ||
  (/[a-z]/.test(text[at - 1] ?? '') && /[A-Z]/.test(text[at] ?? ''))
