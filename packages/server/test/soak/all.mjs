// npm run test:soak [-- MINUTES] [--conversations N]
// An hour, or the minutes that are given: 1,000 conversations. First all is calm; then a tenth of the sockets has stalled and a fifth comes
// and goes. After a warm-up memory, handles and listeners stay level, every sequence is whole, and turns take no longer than 1.5 × as calm.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../../../../scripts/ensure-built.mjs'
import { ensureInstalled } from '../../../../scripts/ensure-installed.mjs'
import { problemsOf, report } from './report.mjs'

const { values, positionals } = parseArgs({
  options: { conversations: { type: 'string', default: '1000' } },
  allowPositionals: true,
})
const minutes = Number(positionals[0] ?? 60)
const count = Number(values.conversations)
if (!(minutes > 0 && count >= 10)) {
  console.error('npm run test:soak [-- MINUTES] [--conversations N], N at least 10')
  process.exit(2)
}
/** Turns a second, of all conversations together. */
const RATE = 20
const SAMPLES = 60
const CALM = 1 / 4

ensureInstalled()
ensureBuilt()
const { Stalled, Talker } = await import('./talker.mjs')
const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-soak-'))
const child = fork(fileURLToPath(new URL('./server.mjs', import.meta.url)), [join(folder, 'soak.db')], {
  execArgv: ['--expose-gc'],
})
const told = () => new Promise(resolve => child.once('message', resolve))
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
try {
  process.exitCode = (await soak(await told())) ? 0 : 1
} finally {
  child.send('close')
  await new Promise(resolve => child.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
}

async function soak({ url }) {
  const faults = []
  const talkers = Array.from(
    { length: count },
    () => new Talker(url, { breaks: false, report: fault => faults.push(fault) }),
  )
  for (let i = 0; i < count; i += 50) await Promise.all(talkers.slice(i, i + 50).map(talker => talker.begin()))
  let times = []
  // The talkers go on until the last sample is taken, however long the server takes to answer for it.
  let over = false
  const isOver = () => over
  const pauseMs = (count / RATE) * 1000
  const talking = talkers.map(talker => talker.talk({ isOver, pauseMs, told: ms => times.push(ms) }))
  Promise.all(talking).catch(error => faults.push(String(error)))
  const samples = []
  let stalled = []
  for (let k = 0; k < SAMPLES; k++) {
    if (k === SAMPLES * CALM) {
      for (const talker of talkers.slice(0, count / 5)) talker.setBreaks(true)
      stalled = Array.from(
        { length: count / 10 },
        () => new Stalled(url, () => talkers.slice(-200).map(each => each.conversation)),
      )
    }
    await sleep((minutes * 60_000) / SAMPLES)
    const answer = told()
    child.send('measure')
    samples.push({ ...(await answer), times, isCalm: k < SAMPLES * CALM })
    times = []
  }
  over = true
  for (const each of [...stalled, ...talkers]) each.close()
  const cutOffs = stalled.reduce((sum, each) => sum + each.cutOffs, 0)
  console.log(report(samples, { minutes, count, cutOffs }))
  const idle = cutOffs ? [] : ['No stalled socket was cut off: too little was sent past them.']
  const problems = [...new Set(faults), ...idle, ...problemsOf(samples)]
  for (const problem of problems.slice(0, 20)) console.log(`PROBLEM ${problem}`)
  return problems.length === 0
}
