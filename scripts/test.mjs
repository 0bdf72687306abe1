// npm test: installs and builds what is missing, runs every test, ends with one line of counts.
// Arguments go to vitest: npm test -- flow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './cluster/balancer.mjs'
import { startPostgres } from './cluster/postgres.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-test-'))
const report = join(folder, 'report.json')
// More are no accident of a busy machine.
const MOST_RUN_AGAIN = 12

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ counts: Counts, failedFiles: string[] }} Run
 */

/** @returns {Run} what the report says, plus files that broke outside a test */
function readReport() {
  const { testResults, numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  const failed = testResults.filter(file => file.status === 'failed')
  const broken = failed.filter(file => !file.assertionResults.some(test => test.status === 'failed'))
  const skipped = numPendingTests + numTodoTests
  return {
    counts: { passed: numPassedTests, failed: numFailedTests + broken.length, skipped },
    failedFiles: failed.map(file => file.name),
  }
}

/** @param {string[]} args @param {Record<string, string>} env @returns {Promise<Run>} */
async function runVitest(args, env = {}) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const vitest = [`${root}node_modules/vitest/vitest.mjs`, 'run', ...reporters, ...args]
  const stdio = ['ignore', 'inherit', 'inherit']
  const child = spawn(process.execPath, vitest, { cwd: root, stdio, env: { ...process.env, ...env } })
  const [status] = await ended(child)
  const { counts, failedFiles } = readReport()
  // Unhandled errors and missed thresholds fail the run but no test.
  return { counts: { ...counts, failed: status === 0 ? counts.failed : Math.max(counts.failed, 1) }, failedFiles }
}

/** Signals go to the child: what was started for it is cleared away when it has ended. */
async function ended(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const pass = signal => child.kill(signal)
  for (const signal of signals) process.on(signal, pass)
  try {
    return await once(child, 'exit')
  } finally {
    for (const signal of signals) process.off(signal, pass)
  }
}

/** Files that failed beside all the others get a second run, one after the other: only what fails there too has failed. */
async function runFailedFilesAlone({ counts, failedFiles }) {
  if (failedFiles.length === 0 || failedFiles.length > MOST_RUN_AGAIN) return counts
  console.log(`\nOnce more, one file after the other:\n${failedFiles.map(file => `  ${file}`).join('\n')}`)
  const alone = await runVitest(['--no-file-parallelism', ...failedFiles])
  const mended = counts.failed - alone.counts.failed
  if (mended > 0)
    console.log(`\n${mended} failed beside other tests and passed alone: they depend on the machine's load.`)
  return { ...counts, passed: counts.passed + Math.max(mended, 0), failed: alone.counts.failed }
}

/** Every test, with one PostgreSQL server for the files that need one: to start one takes seconds. */
async function runEveryTest() {
  if (process.env.TURNBUCKLE_TEST_POSTGRES) return runVitest([])
  const [port] = await freePorts(1)
  const data = mkdtempSync(join(tmpdir(), 'turnbuckle-postgres-'))
  const postgres = await startPostgres({ folder: data, port, isDurable: false })
  try {
    return await runVitest([], { TURNBUCKLE_TEST_POSTGRES: postgres.url })
  } finally {
    await postgres.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function runTests() {
  ensureInstalled()
  ensureBuilt()
  const args = process.argv.slice(2)
  return args.length > 0 ? (await runVitest(args)).counts : runFailedFilesAlone(await runEveryTest())
}

let result = { passed: 0, failed: 1, skipped: 0 }
try {
  result = await runTests()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = result.failed === 0 ? 0 : 1
console.log(
  `${result.passed} passed, ${result.failed} failed${result.skipped > 0 ? `, ${result.skipped} skipped` : ''}`,
)
