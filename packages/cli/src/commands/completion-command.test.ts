import { expect, test } from 'vitest'
import type { Command } from '../command-table.ts'
import { completionScript } from './completion-command.ts'

const row: Command = {
  name: 'polish',
  usage: '',
  summary: "a stone's shine: more",
  options: { grain: { type: 'boolean', does: "it's fine" } },
  examples: [],
  words: ['opal'],
  takes: [0, 1],
  takesFile: false,
  load: async () => async () => 0,
}

test.each([
  { shell: 'bash', line: '    polish) words="opal --grain --help" ;;' },
  { shell: 'zsh', line: "    local -a names=('polish:a stone’s shine\\: more')" },
  { shell: 'fish', line: "complete -c turnbuckle -n '__fish_seen_subcommand_from polish' -l grain -d 'it’s fine'" },
])('$shell completes words and flags, apostrophes made harmless', ({ shell, line }) => {
  expect(completionScript(shell, [row]).split('\n')).toContain(line)
})

test('fish completes files after commands that take one', () => {
  const script = completionScript('fish', [row, { ...row, name: 'cut', takesFile: true }])
  expect(script).toContain("'__fish_seen_subcommand_from cut' -F")
})

test('a shell that is not known has no script', () => {
  expect(completionScript('tcsh', [row])).toBe('')
})
