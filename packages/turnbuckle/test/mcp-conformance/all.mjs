// npm run test:mcp [-- --only TEXT] [--show]
// The conformance suite of the protocol's makers against our client and our server, in every revision that a scenario is for. All have to
// be passed but for those that named-differences.mjs gives a reason for.
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ensureInstalled } from '../../../../scripts/ensure-installed.mjs'
import { namedDifferences, otherExtensions } from './named-differences.mjs'

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, show: { type: 'boolean', default: false } },
})
ensureInstalled()
const { openSuite } = await import('./suite.mjs')
const suite = await openSuite()
const counts = { passed: 0, named: 0, failed: 0 }

/** @returns {'passed' | 'named' | 'failed'} */
function judge(side, scenario, passed) {
  const reason = namedDifferences[side][scenario]
  if (passed) return reason ? 'failed' : 'passed'
  return reason ? 'named' : 'failed'
}

try {
  for (const { side, scenario, revision } of await suite.list()) {
    const isOther = Object.keys(otherExtensions[side]).some(beginning => scenario.startsWith(beginning))
    if (isOther || !`${side} ${scenario}`.includes(values.only)) continue
    const { passed, said } = await suite.run(side, scenario, revision)
    const verdict = judge(side, scenario, passed)
    counts[verdict]++
    if (verdict !== 'passed')
      console.log(`${verdict}: ${side} ${scenario} (${revision})${passed ? ', which passes now' : ''}`)
    if (values.show && !passed) console.log(said)
  }
} finally {
  await suite.close()
  for (const file of suite.files) rmSync(file, { recursive: true, force: true })
}
console.log(`${counts.passed} passed, ${counts.named} named with a reason, ${counts.failed} failed`)
process.exitCode = counts.failed ? 1 : 0
