/**
 * A sentence for people who do not see marks: which runs of words only this branch has. `undefined` where a message has none, or differs
 * only in its punctuation.
 */
export function tellWords(runs: readonly string[], hasCounterpart: boolean): string | undefined {
  if (!hasCounterpart) return 'The other branch has no message like this.'
  const words = runs.filter(run => /[\p{L}\p{N}]/u.test(run))
  return words.length ? `Only in this branch: ${words.map(run => `“${run}”`).join(', ')}.` : undefined
}
