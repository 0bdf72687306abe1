import { sampleFor } from './stats.mjs'

/** Runs the work until the optimising compiler has had its say. */
export const warm = (work, budget) => sampleFor(budget.ms / 2, work, { least: 2 })
