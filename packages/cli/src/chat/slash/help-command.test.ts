import { expect, test } from 'vitest'
import { slashHelp } from './help-command.ts'
import type { SlashCommand } from './slash-command.ts'

const row = (name: `/${string}`, usage: string, does: string): SlashCommand => ({
  name,
  usage,
  does,
  refusedWhileRunning: 'never',
  run() {},
})
const table = [row('/go', '', 'goes'), row('/polish', 'STONE', 'makes it shine')]

test.each([
  { columns: 70, lines: ['/go            goes', '/polish STONE  makes it shine'] },
  { columns: 69, lines: ['/go\n  goes', '/polish STONE\n  makes it shine'] },
])('the help is laid out for $columns columns', ({ columns, lines }) => {
  expect(slashHelp(table, columns)).toEqual(lines)
})
