import { sampleFor } from './stats.mjs'

/** Runs the work until the optimising compiler has had its say. */
export const warm = (work, budget) => sampleFor(budget.ms, work, { least: 2 })
