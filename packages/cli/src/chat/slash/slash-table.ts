import { agentCommands } from './agent-commands.ts'
import { conversationCommands } from './conversation-commands.ts'
import { helpCommand } from './help-command.ts'
import type { SlashCommand } from './slash-command.ts'
import { treeCommands } from './tree-commands.ts'

/** Every slash command, in the order of `/help`. A new one is a row in one of the lists. */
export const slashTable: readonly SlashCommand[] = [
  helpCommand,
  ...conversationCommands,
  ...treeCommands,
  ...agentCommands,
]
