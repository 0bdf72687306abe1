import { batch, sampleFor } from './stats.mjs'

/** Runs the work until the optimising compiler has had its say. Keeps nothing of what the work gave back. */
export const warm = (work, budget) => sampleFor(budget.ms, () => batch(work), { least: 2 })
