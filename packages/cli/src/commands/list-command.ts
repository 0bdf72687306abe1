import type { ConversationRow, ConversationStore } from 'turnbuckle/stores'
import type { CommandFunction } from '../command-table.ts'
import { UserError } from '../errors/user-error.ts'
import { conversationTitle } from '../store/conversation-title.ts'
import { knownCost } from '../store/known-cost.ts'
import { withStore } from '../store/with-store.ts'
import { formatCost, formatCount } from '../text/format-count.ts'
import { formatTime } from '../text/format-time.ts'
import { oneLine } from '../text/one-line.ts'
import { printJson, printLine, printStyled } from '../text/print.ts'
import { paint } from '../text/theme.ts'
import { cutText, textColumns } from '../text/wrap-text.ts'

export const listCommand: CommandFunction = async ({ values }) => {
  const limit = Number(values.limit ?? 20)
  if (!Number.isInteger(limit) || limit < 1) throw new UserError('--limit takes a whole number.')
  return withStore(async store => {
    const rows = await store.list({ limit })
    for (const row of rows) values.json ? printJson(row) : printStyled(await line(store, row))
    if (!rows.length && !values.json) printLine('No conversations yet. turnbuckle chat starts one.')
    return 0
  })
}

/** Columns without a terminal. */
const usual = 80
/** Columns below which a line has room for the id and the title alone. */
const narrow = 60

/** `conv_3f2a91c0  2026-11-17 03:08  what is 17*23            2.1k  $0.0031`: the beginning of an id is enough. */
async function line(store: ConversationStore, row: ConversationRow): Promise<string> {
  const { inputTokens, outputTokens } = row.usage
  const width = process.stdout.columns ?? usual
  const when = formatTime(row.updatedAt)
  const used = `${formatCount(inputTokens + outputTokens)} ${formatCost(await knownCost(store, row))}`.trimEnd()
  const id = oneLine(row.id.slice(0, 13)).padEnd(13)
  const isNarrow = width < narrow
  const room = Math.max(1, width - id.length - 2 - (isNarrow ? 0 : when.length + used.length + 4))
  const title = cutText(oneLine(await conversationTitle(store, row), room), room)
  if (isNarrow) return `${paint('info', id)}  ${title}`
  return `${paint('info', id)}  ${paint('quiet', when)}  ${title}${' '.repeat(Math.max(0, room - textColumns(title)))}  ${paint('quiet', used)}`
}
