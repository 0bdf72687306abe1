import type { MenuItem } from '../menu/menu.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { ownCommands } from './own-commands.ts'
import { slashTable } from './slash-table.ts'

/** Every slash command for the menu, those of the project and of the user behind the built-in ones. */
export const slashItems = (session: ChatSession): readonly MenuItem[] => [
  ...slashTable.map(({ name, does }) => ({ text: name, does })),
  ...ownCommands(session.composed.loaded, session.composed.claudeCommands).map(({ name, does }) => ({
    text: name,
    does,
  })),
]
