import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completeInput } from '../input/complete-input.ts'
import { editorWith } from '../input/editor.ts'
import { slashHelp } from './help-command.ts'
import { slashTable } from './slash-table.ts'

const docs = readFileSync(new URL('../../../../../docs/cli.md', import.meta.url), 'utf8')

test('docs/cli.md has the rows of the table, in its order, and no others', () => {
  const rows = slashTable.map(({ name, usage, does }) => {
    const call = `${name} ${usage}`.trim().replaceAll('|', '\\|')
    return `| \`${call}\` | ${does} |`
  })
  expect(docs.match(/^\| `\/.*$/gm)).toEqual(rows)
})

test.each(slashTable)('$name is completed from its beginning, and listed by /help', ({ name, does }) => {
  const names = slashTable.map(row => row.name)
  const found = completeInput(editorWith(name.slice(0, 2)), names, '/')
  expect([...(found?.choices ?? []), found?.editor.text.trim()]).toContain(name)
  expect(slashHelp(slashTable, 80).find(line => line.startsWith(`${name} `))).toContain(does)
})
