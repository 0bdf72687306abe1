import { stepsScript } from '../script.mjs'
import { processorMs } from '../stats.mjs'

export default {
  id: 'import',
  processes: 5,
  unloaded: true,
  lines: [
    {
      id: 'import',
      title: 'import and create in a fresh process',
      unit: 'ms',
      goal: { say: '≤ 10 ms over bare', met: ({ own, bare }) => own <= bare + 10 },
    },
    { id: 'import.cpu', title: 'the same, processor time with the compiling threads', unit: 'ms CPU' },
  ],
  /** The subject's library is not loaded yet: this row does it. */
  async measure(subject) {
    const job = { script: stepsScript(1), tools: [{ name: 'work', run: () => 1 }] }
    const start = performance.now()
    const spent = process.cpuUsage()
    subject.create(await subject.load(), job)
    return { import: performance.now() - start, 'import.cpu': processorMs(spent) }
  },
}
