/** `modle` → `model`: the closest of the known words, where one is close. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map(candidate => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= Math.max(2, word.length / 3) ? best.candidate : undefined
}

/** `Did you mean "model"?`, or what there is. */
export function suggestNearest(word: string, known: readonly string[]): string {
  const close = nearest(word, known)
  return close === undefined ? `Known: ${known.join(', ')}.` : `Did you mean "${close}"?`
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
