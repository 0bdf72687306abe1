import { suggestNearest } from '../../errors/suggest-nearest.ts'
import type { ChatSession } from '../chat-session.ts'
import { agentCommands } from './agent-commands.ts'
import { conversationCommands } from './conversation-commands.ts'
import { treeCommands } from './tree-commands.ts'

export interface SlashCommand {
  readonly name: string
  readonly usage?: string
  readonly does: string
  run(session: ChatSession, rest: string): void | Promise<void>
}

const help: SlashCommand = {
  name: '/help',
  does: 'this list',
  run(session) {
    const calls = slashCommands.map(({ name, usage = '' }) => `${name} ${usage}`.trimEnd())
    const narrow = (process.stdout.columns ?? 80) < 70
    const width = Math.max(...calls.map(call => call.length))
    const lines = slashCommands.map(({ does }, i) =>
      narrow ? `${calls[i]}\n  ${does}` : `${calls[i]?.padEnd(width)}  ${does}`,
    )
    session.say([...lines, '', ...keyHelp].join('\n'))
  },
}

const keyHelp: readonly string[] = [
  'Enter sends; Ctrl-J, \\ Enter or Shift-Enter begins a new line; Tab completes commands and files; ↑ ↓ look back.',
  'While it works: Enter says it now, Alt-Enter after this turn, Esc Esc interrupts. Ctrl-R shows thoughts. Ctrl-C twice leaves.',
]

export const slashCommands: readonly SlashCommand[] = [help, ...conversationCommands, ...treeCommands, ...agentCommands]

/** Runs `/name rest`. What goes wrong is said, not thrown. */
export async function runSlashCommand(session: ChatSession, line: string): Promise<void> {
  const [name = '', ...words] = line.trim().split(/\s+/)
  const command = slashCommands.find(known => known.name === name)
  if (!command) {
    const names = slashCommands.map(known => known.name)
    return session.say(`There is no ${name}. ${suggestNearest(name, names)}`, 'warn')
  }
  try {
    await command.run(session, words.join(' '))
  } catch (error) {
    session.say((error as Error).message, 'warn')
  }
}
