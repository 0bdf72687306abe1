/** One row, one subject, in a process of its own: `node child.mjs <row> <subject> <budget as JSON>`. Prints JSON. */
import { asReadmeProgram } from './readme-program.mjs'
import { loadRow } from './rows/index.mjs'
import { loadSubject } from './subjects.mjs'

const [rowId, subjectId, given] = process.argv.slice(2)
const budget = JSON.parse(given)
const row = await loadRow(rowId)
const subject = { ...(await loadSubject(subjectId)), isBare: subjectId === 'bare' }
if (budget.isReadme) {
  const { create } = subject
  subject.create = (library, job) => create(library, asReadmeProgram(job))
}
if (!row.unloaded) subject.library = await subject.load()
const values = await row.measure(subject, budget)
process.stdout.write(`\n${JSON.stringify(values)}\n`)
// A peer may leave timers or exporters behind.
process.exit(0)
