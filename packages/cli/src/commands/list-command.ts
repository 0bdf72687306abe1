import type { ConversationRow, ConversationStore } from 'turnbuckle/stores'
import type { CommandFunction } from '../command-table.ts'
import { UserError } from '../errors/user-error.ts'
import { conversationTitle } from '../store/conversation-title.ts'
import { withStore } from '../store/with-store.ts'
import { formatCount, formatMoney } from '../text/format-count.ts'
import { oneLine } from '../text/one-line.ts'
import { printJson, printLine } from '../text/print.ts'
import { styled } from '../text/styled.ts'

export const listCommand: CommandFunction = async ({ values }) => {
  const limit = Number(values.limit ?? 20)
  if (!Number.isInteger(limit) || limit < 1) throw new UserError('--limit takes a whole number.')
  return withStore(async store => {
    const rows = await store.list({ limit })
    for (const row of rows) values.json ? printJson(row) : printLine(await line(store, row))
    if (!rows.length && !values.json) printLine('No conversations yet. turnbuckle chat starts one.')
    return 0
  })
}

async function line(store: ConversationStore, row: ConversationRow): Promise<string> {
  const { inputTokens, outputTokens, cost } = row.usage
  const when = new Date(row.updatedAt).toISOString().slice(0, 16).replace('T', ' ')
  const used = `${formatCount(inputTokens + outputTokens)} tokens ${formatMoney(cost)}`.trimEnd()
  return `${styled('cyan', row.id)}  ${styled('dim', when)}  ${oneLine(await conversationTitle(store, row), 50)}  ${styled('dim', used)}`
}
