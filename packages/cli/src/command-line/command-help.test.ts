import { expect, test } from 'vitest'
import { commandTable } from '../command-table.ts'
import { commandHelp, commandOverview } from './command-help.ts'

const help = (name: string) =>
  commandTable
    .filter(row => row.name === name)
    .map(commandHelp)
    .join()

test('options are aligned, with their letters and values', () => {
  expect(help('list')).toBe(
    [
      'turnbuckle list [--limit N] [--json]',
      '  conversations, newest first',
      '',
      'Options:',
      '  -n, --limit N  20 by default',
      '      --json     one conversation a line',
      '',
      'Examples:',
      '  turnbuckle list',
      '  turnbuckle list --limit 5 --json',
    ].join('\n'),
  )
})

test('a command without options has no list of them', () => {
  expect(help('show')).not.toContain('Options:')
})

test('the overview has every command in a line', () => {
  for (const { name, summary } of commandTable) expect(commandOverview()).toMatch(`  ${name.padEnd(11)}  ${summary}\n`)
})
