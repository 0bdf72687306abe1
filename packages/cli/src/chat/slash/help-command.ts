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
  'Enter sends; Shift-Enter, Ctrl-J or \\ Enter begins a new line; Tab completes; ↑ ↓ look back, Ctrl-R searches; Ctrl-X Ctrl-E opens your editor.',
  '@file attaches a file or an image, !command runs a command of yours, #note goes to AGENTS.md. Shift-Tab: ask, accept edits, plan.',
  'While it works: Enter says it now, Alt-Enter after this turn, Esc Esc or Ctrl-C stops it. Ctrl-T shows thoughts, Ctrl-O all of the transcript. Ctrl-Z suspends. Ctrl-C twice leaves.',
]
