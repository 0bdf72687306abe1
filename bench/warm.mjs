import { batch, processorMs, sampleFor } from './stats.mjs'

/** A turn of ours has seen the last of the optimising compiler after about so many. */
const TURNS = 1500
/** What is slow is given this many times the budget at most. */
const PATIENCE = 3

/** Runs the work until the optimising compiler has had its say. Keeps nothing of what the work gave back. */
export async function warm(work, { ms }) {
  const start = process.cpuUsage()
  let turns = 0
  const run = () => {
    turns++
    return work()
  }
  await sampleFor(ms, () => batch(run), { least: 2 })
  while (turns < TURNS && processorMs(start) < PATIENCE * ms) await batch(run)
}
