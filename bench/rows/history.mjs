import { counted, verify } from '../counted.mjs'
import { stepsScript } from '../script.mjs'
import { median, sampleFor } from '../stats.mjs'

const STEPS = 20
const work = counted(({ n }) => n + 1)
const tools = [{ name: 'work', run: work.run }]

export default {
  id: 'history',
  lines: [
    { id: 'history.10', title: 'between two model calls, 10 messages of history', unit: 'µs' },
    { id: 'history.10000', title: 'between two model calls, 10,000 messages', unit: 'µs' },
    {
      id: 'history.growth',
      title: 'growth from 10 to 10,000 messages',
      unit: '×',
      goal: { say: '≤ 1.3 ×', met: ({ own }) => own <= 1.3 },
    },
  ],
  async measure(subject, budget) {
    const [short, long] = await gaps(subject, budget, [10, 10_000])
    return { 'history.10': short, 'history.10000': long, 'history.growth': long / short }
  },
}

/** From the last chunk of one model call to the start of the next; both lengths are sampled in turn. */
export async function gaps(subject, budget, lengths, job = {}) {
  const probes = lengths.map(history => probe(subject, history, job))
  for (const { run } of probes) await verify(run, work, STEPS, 'tool calls')
  const all = async () => {
    for (const { run } of probes) await run()
  }
  await sampleFor(budget.ms, all, { least: 3 })
  for (const { seen } of probes) seen.length = 0
  await sampleFor(budget.ms * 2, all, { least: 3 })
  return probes.map(({ seen }) => median(seen) * 1000)
}

function probe(subject, history, job) {
  const seen = []
  let end
  const script = stepsScript(STEPS, {
    start: history + 1,
    ended() {
      end = performance.now()
    },
  })
  const { reply } = script
  script.reply = count => {
    if (end !== undefined) seen.push(performance.now() - end)
    return reply(count)
  }
  const agent = subject.create(subject.library, { ...job, script, tools, history })
  const run = () => {
    end = undefined
    return agent.send().done
  }
  return { run, seen }
}
