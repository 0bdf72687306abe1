import { askTrustOnTerminal } from '../command-line/ask-trust-on-terminal.ts'
import type { CommandFunction } from '../command-table.ts'
import { composeAgent } from '../compose/compose-agent.ts'
import { noteComposed } from '../compose/note-composed.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { pickConversation } from '../store/pick-conversation.ts'
import { setTheme } from '../text/theme.ts'

export const chatCommand: CommandFunction = async ({ values }) => {
  const terminal = Boolean(process.stdin.isTTY && process.stdout.isTTY)
  const ask = terminal ? askTrustOnTerminal : undefined
  const composed = await composeAgent(await loadSettings({ ask }), {
    ask,
    model: values.model as string | undefined,
    background: terminal,
    attended: terminal,
  })
  setTheme(composed.loaded.user.theme ?? 'dark')
  try {
    const conversation = await pickConversation(composed, values)
    // A terminal that cannot move its cursor cannot be drawn on.
    if (terminal && (values.plain || process.env.TERM === 'dumb'))
      return await (await import('../chat/spoken-chat.ts')).spokenChat(composed, conversation)
    if (terminal) return await (await import('../chat/start-chat.ts')).startChat(composed, conversation)
    noteComposed(composed)
    return await (await import('../chat/plain-chat.ts')).plainChat(composed.agent, conversation)
  } finally {
    await composed.close()
  }
}
