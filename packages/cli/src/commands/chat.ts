import { askTrustOnTerminal } from '../ask-terminal.ts'
import type { Run } from '../command-table.ts'
import { compose } from '../compose/compose.ts'
import { pickConversation } from '../pick-conversation.ts'
import { loadSettings } from '../settings/load-settings.ts'

export const run: Run = async ({ values }) => {
  const terminal = Boolean(process.stdin.isTTY && process.stdout.isTTY)
  const ask = terminal ? askTrustOnTerminal : undefined
  const composed = await compose(await loadSettings({ ask }), { ask, model: values.model as string | undefined })
  try {
    const conversation = await pickConversation(composed, values)
    if (terminal) return await (await import('../chat/start-chat.ts')).startChat(composed, conversation)
    for (const notice of composed.notices) process.stderr.write(`${notice}\n`)
    return await (await import('../chat/plain-chat.ts')).plainChat(composed.agent, conversation)
  } finally {
    await composed.close()
  }
}
