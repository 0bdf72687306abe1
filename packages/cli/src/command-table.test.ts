import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandHelp, commandOverview } from './command-line/command-help.ts'
import { type Command, commandTable } from './command-table.ts'
import { completionScript } from './commands/completion-command.ts'

const docs = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
const added: Command = {
  name: 'polish',
  usage: 'STONE [--grain N]',
  summary: 'makes a stone shine',
  options: { grain: { type: 'string', short: 'g', value: 'N', does: 'how fine' } },
  examples: ['turnbuckle polish opal'],
  words: ['opal'],
  takes: [1, 1],
  takesFile: true,
  load: async () => async () => 0,
}

test('no two commands have one name', () => {
  const names = commandTable.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test.each(commandTable)('$name loads a function, has examples and is in docs/cli.md', async row => {
  expect(await row.load()).toBeTypeOf('function')
  for (const example of row.examples) expect(example).toMatch(new RegExp(`turnbuckle ${row.name}|turnbuckle run -`))
  expect(docs).toMatch(new RegExp(`^\\|.*\`${row.name}[ \`]`, 'm'))
})

test('a row more is in the overview, in the help and in every completion script', () => {
  const table = [...commandTable, added]
  expect(commandOverview(table)).toContain('polish       makes a stone shine')
  expect(commandHelp(added)).toContain('-g, --grain N  how fine')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = completionScript(shell, table)
    for (const word of ['polish', 'opal', 'grain']) expect(script).toContain(word)
  }
})
