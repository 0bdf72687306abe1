import { counted, verify } from '../counted.mjs'
import { ALL_STEPS, perStep, TOOL_STEPS } from '../per-step.mjs'
import { asReadmeProgram } from '../readme-program.mjs'
import { stepsScript } from '../script.mjs'
import { batch, median, sampleFor } from '../stats.mjs'

const unit = 'µs CPU/step'
const store = 'memory:'
const atMost = times => ({ say: `≤ ${times} × bare`, met: ({ own, bare }) => own <= times * bare })

/** Settings of `createShipped` by line. The goals are what the version before the redesign took: not worse than that. */
const SHIPPED = [
  { id: 'ships.terminal', title: 'the agent as the terminal ships it, in memory', unit, goal: atMost(50), store },
  {
    id: 'ships.server',
    title: 'the agent as the server ships it, in memory',
    unit,
    goal: atMost(50),
    store,
    isServed: true,
  },
  { id: 'ships.durable', title: 'the agent as the server ships it, on SQLite', unit, goal: atMost(50), isServed: true },
]

export default {
  id: 'ships',
  lines: SHIPPED,
  async measure(subject, budget) {
    const wanted = SHIPPED.filter(({ id }) => budget.lines?.includes(id) ?? true)
    if (subject.isBare) return bare(subject, wanted, budget)
    const create = await subject.ships?.()
    const values = {}
    if (create) for (const line of wanted) values[line.id] = await shipped(() => create(job(), line), budget)
    return values
  },
}

const work = counted(({ n }) => n + 1)
// The approval of the programs lets a tool of this name pass without asking.
const tool = 'calculate'
const job = () => asReadmeProgram({ script: stepsScript(TOOL_STEPS, { tool }), tools: [{ name: tool, run: work.run }] })

async function bare(subject, wanted, budget) {
  const agent = subject.create(subject.library, job())
  const each = await perStep(() => agent.send().done, work, budget)
  return Object.fromEntries(wanted.map(({ id }) => [id, each]))
}

/** Each sample is of an agent of its own: its store keeps every turn, and the figure must not depend on how many there were. */
async function shipped(create, budget) {
  const one = await create()
  const run = () => one.send().done
  await verify(run, work, TOOL_STEPS, 'tool calls')
  for (let i = 0; i < budget.warmTurns; i++) await run()
  await one.close()
  const samples = await sampleFor(budget.ms * 2, async () => {
    const agent = await create()
    const ms = await batch(() => agent.send().done)
    await agent.close()
    return ms
  })
  return (median(samples) * 1000) / ALL_STEPS
}
