import { counted } from '../counted.mjs'
import { ALL_STEPS, perStep, TOOL_STEPS } from '../per-step.mjs'
import { asReadmeProgram } from '../readme-program.mjs'
import { stepsScript } from '../script.mjs'

const work = counted(({ n }) => n + 1)
const job = () => ({ script: stepsScript(TOOL_STEPS), tools: [{ name: 'work', run: work.run }] })

export default {
  id: 'steps',
  lines: [
    {
      id: 'steps',
      title: `${ALL_STEPS} tool steps, no hooks`,
      unit: 'µs CPU/step',
      goal: { say: '≤ 12 × bare', met: ({ own, bare }) => own <= 12 * bare },
    },
    {
      id: 'steps.default',
      title: `${ALL_STEPS} tool steps, default agent, zod tool, async model`,
      unit: 'µs CPU/step',
      goal: { say: '≤ 20 × bare', met: ({ own, bare }) => own <= 20 * bare },
    },
  ],
  async measure(subject, budget) {
    const one = async job => {
      const agent = subject.create(subject.library, job)
      return perStep(() => agent.send().done, work, budget)
    }
    return { steps: await one(job()), 'steps.default': await one(asReadmeProgram(job())) }
  },
}
