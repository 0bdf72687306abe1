import { stepsScript } from '../script.mjs'
import { median, sampleFor, timed } from '../stats.mjs'
import { warm } from '../warm.mjs'

const STEPS = 50
const tools = [{ name: 'work', run: ({ n }) => n + 1 }]

export default {
  id: 'hooks',
  lines: [
    {
      id: 'hooks.plain',
      title: 'one more plain hook before a tool',
      unit: 'µs/call',
      goal: { say: '≤ 0.1 µs', met: ({ own }) => own <= 0.1 },
    },
    {
      id: 'hooks.async',
      title: 'one more async hook before a tool',
      unit: 'µs/call',
      goal: { say: '≤ 0.35 µs', met: ({ own }) => own <= 0.35 },
    },
  ],
  async measure(subject, budget) {
    return {
      'hooks.plain': await slope(subject, budget, i => () => void touch(i)),
      'hooks.async': await slope(subject, budget, i => async () => void touch(i)),
    }
  },
}

let touched = 0
function touch(i) {
  touched += i
  return touched
}

/** What a hook adds, from 1 to 11 of them; the two are sampled in turn, so that drift hits both. */
async function slope(subject, budget, hook) {
  const [one, eleven] = [1, 11].map(count => {
    const hooks = Array.from({ length: count }, (_, i) => hook(i))
    const agent = subject.create(subject.library, { script: stepsScript(STEPS), tools, hooks })
    return () => agent.send().done
  })
  await warm(one, budget)
  await warm(eleven, budget)
  const pairs = await sampleFor(budget.ms * 2, async () => [await timed(one), await timed(eleven)])
  const more = median(pairs.map(pair => pair[1])) - median(pairs.map(pair => pair[0]))
  return (more * 1000) / STEPS / 10
}
