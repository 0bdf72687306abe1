import { call, createScript } from '../script.mjs'
import { median, timed } from '../stats.mjs'
import { used, whenSettled } from '../used-memory.mjs'

const AGENTS = 1000
const STEPS = 5
const KIB = 1024
const TRIES = 7

const toPi = { say: '< 1 × pi-agent-core', met: ({ own, pi }) => own < pi, isToPi: true }

/** As a server does that makes an agent for each of its conversations: agents, conversations and turns are made and run at once. */
export default {
  id: 'agents',
  lines: [
    {
      id: 'agents.wall',
      title: `1,000 agents with a conversation each (${STEPS} steps) at once`,
      unit: 'ms',
      goal: toPi,
    },
    { id: 'agents.peak', title: 'the same, peak memory each', unit: 'KiB', goal: toPi },
  ],
  async measure(subject) {
    for (let i = 0; i < 3; i++) await runAll(subject)
    const tries = []
    for (let i = 0; i < TRIES; i++) {
      await whenSettled()
      const before = used()
      const look = watchMemory()
      const ms = await timed(() => runAll(subject))
      tries.push({ ms, peak: (look.end() - before) / AGENTS / KIB })
    }
    return { 'agents.wall': median(tries.map(({ ms }) => ms)), 'agents.peak': median(tries.map(({ peak }) => peak)) }
  },
}

export const runAll = subject =>
  Promise.all(
    Array.from({ length: AGENTS }, () => {
      const agent = subject.create(subject.library, {
        script: script(),
        tools: [{ name: 'work', run }],
        defaults: true,
      })
      return agent.send().done
    }),
  )

const run = ({ n }) => `The result of call ${n}: `.padEnd(200, 'x')

/** Each model call takes a turn of the event loop, so that all conversations run abreast. */
const script = () =>
  createScript(count => {
    const step = (count - 1) >> 1
    const wait = new Promise(resolve => setImmediate(resolve))
    return step < STEPS ? { calls: [call(step)], wait } : { batches: [['done']], wait }
  })

/** Looks at the memory once in a turn of the event loop, garbage that was not yet collected included. */
function watchMemory() {
  let most = used()
  let isOver = false
  const look = () => {
    most = Math.max(most, used())
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return {
    end() {
      isOver = true
      return Math.max(most, used())
    },
  }
}
