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
    { id: 'history.read', title: 'the same for a model that asks for its list of messages', unit: '×' },
    {
      id: 'history.walk',
      title: 'the same for a model that reads every message',
      unit: '×',
      goal: { say: '≤ 2 × the bare loop’s', met: ({ own, bare }) => own <= 2 * bare },
    },
  ],
  async measure(subject, budget) {
    const [short, long] = await gaps(subject, budget, [10, 10_000])
    const read = await gaps(subject, budget, [10, 10_000], { reads: true })
    const walk = await gaps(subject, budget, [10, 10_000], { reads: true, walks: true })
    return {
      'history.10': short,
      'history.10000': long,
      'history.growth': long / short,
      'history.read': read[1] / read[0],
      'history.walk': walk[1] / walk[0],
    }
  },
}

/** From the last chunk of one model call to the start of the next; both lengths are sampled in turn. */
export async function gaps(subject, budget, lengths, { reads = false, walks = false, ...job } = {}) {
  const probes = lengths.map(history => probe(subject, history, { reads, walks }, job))
  for (const { run } of probes) await verify(run, work, STEPS, 'tool calls')
  const all = async () => {
    for (const { run } of probes) await run()
  }
  await sampleFor(budget.ms, all, { least: 3 })
  for (const { seen } of probes) seen.length = 0
  await sampleFor(budget.ms * 2, all, { least: 3 })
  return probes.map(({ seen }) => median(seen) * 1000)
}

function probe(subject, history, { reads, walks }, job) {
  const seen = []
  let end
  let calls = 0
  const script = stepsScript(STEPS, {
    ended() {
      end = performance.now()
    },
  })
  const { reply } = script
  script.blind = !reads
  script.walks = walks
  script.reply = () => {
    if (end !== undefined) seen.push(performance.now() - end)
    return reply(1 + 2 * calls++)
  }
  const agent = subject.create(subject.library, { ...job, script, tools, history })
  const run = () => {
    end = undefined
    calls = 0
    return agent.send().done
  }
  return { run, seen }
}
