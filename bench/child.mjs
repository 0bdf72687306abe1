/** One row, one subject, in a process of its own: `node child.mjs <row> <subject> <budget as JSON>`. Prints JSON. */
import { loadRow } from './rows/index.mjs'
import { loadSubject } from './subjects.mjs'

const [rowId, subjectId, budget] = process.argv.slice(2)
const row = await loadRow(rowId)
const subject = { ...(await loadSubject(subjectId)), isBare: subjectId === 'bare' }
if (!row.unloaded) subject.library = await subject.load()
const values = await row.measure(subject, JSON.parse(budget))
process.stdout.write(`\n${JSON.stringify(values)}\n`)
// A peer may leave timers or exporters behind.
process.exit(0)
