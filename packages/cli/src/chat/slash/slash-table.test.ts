import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { editorWith } from '../editor/editor.ts'
import { menuFor } from '../menu/menu.ts'
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

test.each(slashTable)('$name is in the menu from its beginning on, and listed by /help', ({ name, does }) => {
  const commands = slashTable.map(row => ({ text: row.name, does: row.does }))
  const menu = menuFor(editorWith(name.slice(0, 2)), { commands, files: () => [] })
  expect(menu?.items.map(({ text }) => text)).toContain(name)
  expect(slashHelp(slashTable, 80).find(line => line.startsWith(`${name} `))).toContain(does)
})
