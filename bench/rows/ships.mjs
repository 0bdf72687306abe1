import { counted, verify } from '../counted.mjs'
import { fiftySteps, perStep, TOOL_STEPS } from '../fifty-steps.mjs'
import { measureLines } from '../prepared.mjs'
import { asReadmeProgram } from '../readme-program.mjs'
import { stepsScript } from '../script.mjs'
import { batch } from '../stats.mjs'

const work = counted(({ n }) => n + 1)
// The approval of the programs lets a tool of this name pass without asking.
const tool = 'calculate'
const job = () => asReadmeProgram({ script: stepsScript(TOOL_STEPS, { tool }), tools: [{ name: tool, run: work.run }] })

/** `times` is the most that the version before the redesign took in several runs on a busy machine: not worse than that. */
const line = (id, title, times, settings) => ({
  id,
  title,
  unit: 'µs CPU/step',
  goal: { say: `≤ ${times.toLocaleString('en')} × bare`, met: ({ own, bare }) => own <= times * bare },
  prepare: subject => (subject.isBare ? bare(subject) : shipped(subject, settings)),
  value: perStep,
})
const store = 'memory:'
const lines = [
  {
    id: 'ships.loop',
    title: "the loop with the programs' middleware and tracing, without a store",
    unit: 'µs CPU/step',
    // Wanted, and not reached: most of it is some twenty hooks and spans a step.
    goal: { say: '≤ 30 × bare', met: ({ own, bare }) => own <= 30 * bare },
    prepare: subject => (subject.isBare ? bare(subject) : withProgramSet(subject)),
    value: perStep,
  },
  line('ships.terminal', 'the agent as the terminal ships it, in memory', 700, { store }),
  line('ships.server', 'the agent as the server ships it, in memory', 700, { store, isServed: true }),
  line('ships.durable', 'the agent as the server ships it, on SQLite', 1800, { isServed: true }),
]

export default { id: 'ships', lines, measure: (subject, budget) => measureLines(lines, subject, budget) }

const bare = subject => fiftySteps(subject.create(subject.library, job()), work)

async function withProgramSet(subject) {
  if (!subject.programSet) return undefined
  return fiftySteps(subject.create(subject.library, { ...job(), use: await subject.programSet(tool) }), work)
}

/** Each sample is of an agent of its own: its store keeps every turn, and the figure must not depend on how many there were. */
async function shipped(subject, settings) {
  if (!subject.ships) return undefined
  const create = await subject.ships()
  const fresh = async use => {
    const agent = await create(job(), settings)
    const result = await use(() => agent.send().done)
    await agent.close()
    return result
  }
  return {
    warm: ({ warmTurns }) =>
      fresh(async run => {
        await verify(run, work, TOOL_STEPS, 'tool calls')
        for (let i = 0; i < warmTurns; i++) await run()
      }),
    sample: () => fresh(batch),
  }
}
