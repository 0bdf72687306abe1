// npm test: installs and builds what is missing, runs every test, ends with one line of counts.
// Arguments go to vitest: npm test -- flow
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-test-'))
const report = join(folder, 'report.json')

/** @returns {{ passed: number, failed: number, skipped: number }} what the report says, plus files that broke outside a test */
function counts() {
  const { testResults, numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  const broken = testResults.filter(
    file => file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'),
  )
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: numPendingTests + numTodoTests,
  }
}

function runTests() {
  ensureInstalled()
  ensureBuilt()
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = [`${root}node_modules/vitest/vitest.mjs`, 'run', ...reporters, ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const { passed, failed, skipped } = counts()
  // Unhandled errors and missed thresholds fail the run but no test.
  return { passed, failed: status === 0 ? failed : Math.max(failed, 1), skipped }
}

let result = { passed: 0, failed: 1, skipped: 0 }
try {
  result = runTests()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = result.failed === 0 ? 0 : 1
console.log(
  `${result.passed} passed, ${result.failed} failed${result.skipped > 0 ? `, ${result.skipped} skipped` : ''}`,
)
