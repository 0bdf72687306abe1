import { call, createScript } from '../script.mjs'
import { percentile } from '../stats.mjs'

const PARTIAL = 'half a sentence '
const PATIENCE_MS = 200
const goal = { say: '< 1 ms over bare', met: ({ own, bare }) => own < bare + 1 }

export default {
  id: 'interrupt',
  lines: [
    { id: 'interrupt.stream', title: 'interrupt a deaf stream, p99', unit: 'ms', goal },
    { id: 'interrupt.tool', title: 'interrupt a deaf tool, p99', unit: 'ms', goal },
    {
      id: 'interrupt.kept',
      title: 'text kept after an interrupt',
      unit: '%',
      goal: { say: '100 %', miss: 'under', met: ({ own }) => own === 100 },
    },
  ],
  async measure(subject, { tries }) {
    const warmUp = Math.ceil(tries / 4)
    const stream = await interrupts(subject, tries, warmUp, i => deafStream(i % 2 ? 'hang' : 'flood'))
    const tool = await interrupts(subject, tries, warmUp, deafTool)
    const answered = [...stream, ...tool]
    const kept = answered.filter(each => each.kept).length
    return {
      'interrupt.stream': p99(stream),
      'interrupt.tool': p99(tool),
      'interrupt.kept': answered.some(each => each.ms === undefined) ? 'never' : (100 * kept) / answered.length,
    }
  },
}

/** "never" as soon as one interrupt was not answered. */
const p99 = tries => {
  const times = tries.map(each => each.ms)
  return times.includes(undefined) ? 'never' : percentile(times, 0.99)
}

function deafStream(ending) {
  const script = createScript(() => ({ batches: [[PARTIAL]], ending }))
  return { script, tools: [], ready: text => text }
}

function deafTool() {
  const script = createScript(count =>
    count === 1 ? { batches: [[PARTIAL]], calls: [call(0)] } : { batches: [['done']] },
  )
  let started
  const running = new Promise(resolve => {
    started = resolve
  })
  const run = () => {
    started()
    return script.released
  }
  return { script, tools: [{ name: 'work', run }], ready: () => running }
}

async function interrupts(subject, tries, warmUp, scene) {
  const seen = []
  for (let i = 0; i < tries + warmUp; i++) {
    const one = await interrupt(subject, scene(i))
    if (i >= warmUp || one.ms === undefined) seen.push(one)
    if (one.ms === undefined) break
  }
  return seen
}

/** Waits until the deafness has begun, interrupts, and waits until the turn has ended. */
async function interrupt(subject, { script, tools, ready }) {
  const agent = subject.create(subject.library, { script, tools, interruptible: true })
  let heard
  const text = new Promise(resolve => {
    heard = resolve
  })
  const running = agent.send({ onText: heard })
  const done = Promise.resolve(running.done).catch(() => ({ text: '' }))
  await within(ready(text))
  await new Promise(resolve => setImmediate(resolve))
  const start = performance.now()
  running.interrupt()
  const result = await within(done)
  const ms = performance.now() - start
  script.release()
  await within(done)
  return result === LATE ? { kept: false } : { ms, kept: `${result.text}`.includes(PARTIAL) }
}

const LATE = Symbol('late')

async function within(promise) {
  let timer
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, PATIENCE_MS, LATE)
  })
  const first = await Promise.race([promise, late])
  clearTimeout(timer)
  return first
}
