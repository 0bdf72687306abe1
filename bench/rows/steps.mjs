import { counted } from '../counted.mjs'
import { ALL_STEPS, fiftySteps, perStep, TOOL_STEPS } from '../fifty-steps.mjs'
import { measureLines } from '../prepared.mjs'
import { asReadmeProgram } from '../readme-program.mjs'
import { stepsScript } from '../script.mjs'

const work = counted(({ n }) => n + 1)
const job = () => ({ script: stepsScript(TOOL_STEPS), tools: [{ name: 'work', run: work.run }] })

const lines = [
  {
    id: 'steps',
    title: `${ALL_STEPS} tool steps, no hooks`,
    unit: 'µs CPU/step',
    goal: { say: '≤ 12 × bare', met: ({ own, bare }) => own <= 12 * bare },
    prepare: subject => fiftySteps(subject.create(subject.library, job()), work),
    value: perStep,
  },
  {
    id: 'steps.default',
    title: `${ALL_STEPS} tool steps, default agent, zod tool, async model`,
    unit: 'µs CPU/step',
    goal: { say: '≤ 20 × bare', met: ({ own, bare }) => own <= 20 * bare },
    prepare: subject => fiftySteps(subject.create(subject.library, asReadmeProgram(job())), work),
    value: perStep,
  },
]

export default { id: 'steps', lines, measure: (subject, budget) => measureLines(lines, subject, budget) }
