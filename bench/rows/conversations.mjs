import { call, createScript } from '../script.mjs'
import { used, whenSettled } from '../used-memory.mjs'
import { warm } from '../warm.mjs'

const CONVERSATIONS = 1000
// Chosen so that the bare loop needs about the 16 KiB that the goal was set against.
const STEPS = 8
const KIB = 1024
// The same however long the run is: how much garbage lies about depends on it.
const WARM = { ms: 500 }

export default {
  id: 'conversations',
  lines: [
    {
      id: 'conversations.peak',
      title: `1,000 conversations at once (${STEPS} steps), peak memory each`,
      unit: 'KiB',
      goal: { say: '≤ 40 KiB', met: ({ own }) => own <= 40 },
    },
    { id: 'conversations.live', title: 'the same, live heap each when all are open', unit: 'KiB' },
  ],
  async measure(subject) {
    const gate = createGate()
    const agent = subject.create(subject.library, { script: script(gate), tools: [{ name: 'work', run }] })
    gate.open()
    await warm(() => agent.send().done, WARM)
    gate.close()
    return peak(agent, gate)
  },
}

const run = ({ n }) => `The result of call ${n}: `.padEnd(200, 'x')

/** Each model call takes a turn of the event loop, so all conversations run abreast; the last waits at the gate. */
function script(gate) {
  return createScript(count => {
    const step = (count - 1) >> 1
    if (step < STEPS) return { calls: [call(step)], wait: immediate() }
    return { batches: [['done']], wait: gate.pass() }
  })
}

const immediate = () => new Promise(resolve => setImmediate(resolve))

function createGate() {
  let wait
  let release
  const gate = {
    waiting: 0,
    open: () => release?.(),
    close() {
      gate.waiting = 0
      wait = new Promise(resolve => {
        release = resolve
      })
    },
    pass() {
      gate.waiting++
      return wait
    },
  }
  gate.close()
  return gate
}

/** Heap and buffers, sampled once per round of model calls; garbage that was not yet collected counts in the peak. */
async function peak(agent, gate) {
  await whenSettled()
  const before = used()
  const running = []
  for (let i = 0; i < CONVERSATIONS; i++) running.push(agent.send().done)
  let most = 0
  const deadline = performance.now() + 60_000
  while (gate.waiting < CONVERSATIONS && performance.now() < deadline) {
    most = Math.max(most, used())
    await immediate()
  }
  if (gate.waiting < CONVERSATIONS)
    throw new Error(`Only ${gate.waiting} of ${CONVERSATIONS} conversations got through.`)
  most = Math.max(most, used())
  await whenSettled()
  const live = used()
  gate.open()
  await Promise.all(running)
  const each = bytes => (bytes - before) / CONVERSATIONS / KIB
  return { 'conversations.peak': each(most), 'conversations.live': each(live) }
}
