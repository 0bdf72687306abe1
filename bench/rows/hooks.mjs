import { counted, verify } from '../counted.mjs'
import { TOOL_STEPS } from '../fifty-steps.mjs'
import { stepsScript } from '../script.mjs'
import { batch, median, sampleFor } from '../stats.mjs'
import { warm } from '../warm.mjs'

const tools = [{ name: 'work', run: ({ n }) => n + 1 }]

export default {
  id: 'hooks',
  lines: [
    {
      id: 'hooks.plain',
      title: 'one more plain hook before a tool',
      unit: 'µs CPU/call',
      goal: { say: '≤ 0.25 µs', met: ({ own }) => own <= 0.25 },
      cost: (subject, budget) => slope(subject, budget, i => () => void touched.run(i)),
    },
    {
      id: 'hooks.async',
      title: 'one more async hook before a tool',
      unit: 'µs CPU/call',
      goal: { say: '≤ 0.5 µs', met: ({ own }) => own <= 0.5 },
      cost: (subject, budget) => slope(subject, budget, i => async () => void touched.run(i)),
    },
  ],
  async measure(subject, budget) {
    const values = {}
    for (const { id, cost } of this.lines) values[id] = await cost(subject, budget)
    return values
  },
}

const touched = counted(i => i)

/** What a hook adds, from 1 to 11 of them; the two are sampled in turn, so that drift hits both. */
async function slope(subject, budget, hook) {
  const [one, eleven] = [1, 11].map(count => {
    const hooks = Array.from({ length: count }, (_, i) => hook(i))
    const agent = subject.create(subject.library, { script: stepsScript(TOOL_STEPS), tools, hooks })
    return { count, run: () => agent.send().done }
  })
  for (const { run, count } of [one, eleven]) await verify(run, touched, TOOL_STEPS * count, 'hook calls')
  await warm(one.run, budget)
  await warm(eleven.run, budget)
  const pairs = await sampleFor(budget.ms * 2, async () => [await batch(one.run), await batch(eleven.run)])
  const more = median(pairs.map(pair => pair[1])) - median(pairs.map(pair => pair[0]))
  return (more * 1000) / TOOL_STEPS / 10
}
