import { counted, verify } from '../counted.mjs'
import { stepsScript } from '../script.mjs'
import { batch, median, sampleFor } from '../stats.mjs'
import { warm } from '../warm.mjs'

const STEPS = 50
const work = counted(({ n }) => n + 1)
const tools = [{ name: 'work', run: work.run }]

export default {
  id: 'steps',
  lines: [
    {
      id: 'steps',
      title: `${STEPS} tool steps, no hooks`,
      unit: 'µs CPU/step',
      goal: { say: '≤ 6 × bare', met: ({ own, bare }) => own <= 6 * bare },
    },
    { id: 'steps.default', title: `${STEPS} tool steps, default agent (breaker on)`, unit: 'µs CPU/step' },
  ],
  async measure(subject, budget) {
    const plain = await perStep(subject, budget, {})
    const { hasDefaults } = subject
    return { steps: plain, ...(hasDefaults && { 'steps.default': await perStep(subject, budget, { defaults: true }) }) }
  },
}

async function perStep(subject, budget, job) {
  // The default agent stops at 50 steps, and the last one only says it is done.
  const steps = job.defaults ? STEPS - 1 : STEPS
  const agent = subject.create(subject.library, { ...job, script: stepsScript(steps), tools })
  const run = () => agent.send().done
  await verify(run, work, steps, 'tool calls')
  await warm(run, budget)
  return (median(await sampleFor(budget.ms, () => batch(run))) * 1000) / (steps + 1)
}
