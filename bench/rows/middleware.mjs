import { counted, verify } from '../counted.mjs'
import { ALL_STEPS, TOOL_STEPS } from '../fifty-steps.mjs'
import { stepsScript } from '../script.mjs'
import { batch, median, sampleFor } from '../stats.mjs'
import { warm } from '../warm.mjs'
import { gaps } from './history.mjs'

const work = counted(({ n }) => n + 1)
const tools = [{ name: 'work', run: work.run }]

export default {
  id: 'middleware',
  lines: [
    {
      id: 'middleware.ten',
      title: 'a step with the ten commonest middleware on, more than with none',
      unit: 'µs/step',
      goal: { say: '≤ 25 µs', met: ({ own }) => own <= 25 },
    },
    {
      id: 'middleware.growth',
      title: 'growth with them from 10 to 10,000 messages of history',
      unit: '×',
      goal: { say: '≤ 1.3 ×', met: ({ own }) => own <= 1.3 },
    },
  ],
  async measure(subject, budget) {
    if (!subject.ten) return {}
    const use = await subject.ten()
    const [short, long] = await gaps(subject, budget, [10, 10_000], { use })
    return { 'middleware.ten': await more(subject, budget, use), 'middleware.growth': long / short }
  },
}

/** None and ten are sampled in turn, so that drift hits both. */
async function more(subject, budget, use) {
  const [none, ten] = [[], use].map(use => {
    const agent = subject.create(subject.library, { use, script: stepsScript(TOOL_STEPS), tools })
    return () => agent.send().done
  })
  for (const run of [none, ten]) {
    await verify(run, work, TOOL_STEPS, 'tool calls')
    await warm(run, budget)
  }
  const pairs = await sampleFor(budget.ms * 2, async () => [await batch(none), await batch(ten)])
  const difference = median(pairs.map(pair => pair[1])) - median(pairs.map(pair => pair[0]))
  return (difference * 1000) / ALL_STEPS
}
