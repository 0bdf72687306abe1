import type { SlashCommand } from './slash-command.ts'

/** `/help`: the table that it is handed, and the keys. */
export const helpCommand: SlashCommand = {
  name: '/help',
  usage: '',
  does: 'this list',
  refusedWhileRunning: 'never',
  run(session, _rest, table) {
    session.say([...slashHelp(table, process.stdout.columns ?? 80), '', ...keyHelp].join('\n'))
  },
}

/** A line per command; two on a screen of less than 70 columns. */
export function slashHelp(table: readonly SlashCommand[], columns: number): readonly string[] {
  const calls = table.map(({ name, usage }) => `${name} ${usage}`.trimEnd())
  const width = Math.max(...calls.map(call => call.length))
  return table.map(({ does }, i) => (columns < 70 ? `${calls[i]}\n  ${does}` : `${calls[i]?.padEnd(width)}  ${does}`))
}

const keyHelp: readonly string[] = [
  'Enter sends; Ctrl-J, \\ Enter or Shift-Enter begins a new line; Tab completes commands and files; ↑ ↓ look back.',
  'While it works: Enter says it now, Alt-Enter after this turn, Esc Esc interrupts. Ctrl-R shows thoughts. Ctrl-C twice leaves.',
]
