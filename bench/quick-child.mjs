/** One figure of `--quick` in a process of its own: `node quick-child.mjs <line> <budget as JSON>`. Prints [own, bare]. */
import { measurePair } from './prepared.mjs'
import { FIGURES } from './quick-figures.mjs'
import { loadRow } from './rows/index.mjs'
import { loadSubject } from './subjects.mjs'

const [lineId, given] = process.argv.slice(2)
const budget = JSON.parse(given)
const { row: rowId, isCost } = FIGURES[lineId]
const row = await loadRow(rowId)
const [own, bare] = await Promise.all(['turnbuckle', 'bare'].map(ready))
const line = row.lines.find(({ id }) => id === lineId)
const values = isCost ? [await line.cost(own, budget)] : await measurePair(line, own, bare, budget)
process.stdout.write(`\n${JSON.stringify(values)}\n`)
process.exit(0)

async function ready(id) {
  const subject = await loadSubject(id)
  return { ...subject, isBare: id === 'bare', library: await subject.load() }
}
