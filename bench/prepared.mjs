/**
 * A line that can be sampled in one subject or in two in turn: `prepare(subject)` gives `warm(budget)` and `sample()`, which
 * resolves to milliseconds of processor time, or nothing where the subject does not do this work; `value(ms)` is in the
 * line's unit.
 */
import { batch, median, sampleFor } from './stats.mjs'
import { warm } from './warm.mjs'

/** The same work over and over. */
export const plainly = run => ({ warm: budget => warm(run, budget), sample: () => batch(run) })

export async function measureLines(lines, subject, budget) {
  const values = {}
  for (const { id, prepare, value } of lines) {
    const work = await prepare(subject)
    await work?.warm(budget)
    if (work) values[id] = value(median(await sampleFor(budget.ms, work.sample)))
  }
  return values
}

/** Bare and own in turn within one process: whatever slows the machine down slows both alike. */
export async function measurePair({ prepare, value }, own, bare, budget) {
  const both = [await prepare(own), await prepare(bare)]
  for (const work of both) await work.warm(budget)
  const pairs = await sampleFor(budget.ms * 2, async () => [await both[0].sample(), await both[1].sample()], {
    least: 9,
  })
  return [0, 1].map(side => value(median(pairs.map(pair => pair[side]))))
}
