import { counted, verify } from '../counted.mjs'
import { batchScript, call } from '../script.mjs'
import { median, sampleFor, timed } from '../stats.mjs'
import { warm } from '../warm.mjs'

const calls = Array.from({ length: 64 }, (_, n) => call(n))
const work = counted(({ n }) => new Promise(resolve => setTimeout(resolve, 1, n)))
const tools = [{ name: 'work', run: work.run }]

export default {
  id: 'parallel',
  lines: [
    {
      id: 'parallel',
      title: '64 parallel tools of 1 ms',
      unit: 'ms',
      goal: { say: '≤ 1.3 × bare', met: ({ own, bare }) => own <= 1.3 * bare },
    },
  ],
  async measure(subject, budget) {
    const agent = subject.create(subject.library, { script: batchScript(calls), tools })
    const run = () => agent.send().done
    await verify(run, work, 64, 'tool calls')
    await warm(run, budget)
    return { parallel: median(await sampleFor(budget.ms, () => timed(run))) }
  },
}
