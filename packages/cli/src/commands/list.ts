import { textOf } from 'turnbuckle'
import type { ConversationRow, ConversationStore } from 'turnbuckle/stores'
import type { Run } from '../command-table.ts'
import { Mistake } from '../mistake.ts'
import { money, oneLine, print, short, styled } from '../terminal-text.ts'
import { withStore } from './with-store.ts'

export const run: Run = async ({ values }) => {
  const limit = Number(values.limit ?? 20)
  if (!Number.isInteger(limit) || limit < 1) throw new Mistake('--limit takes a whole number.')
  return withStore(async store => {
    const rows = await store.list({ limit })
    for (const row of rows) print(values.json ? JSON.stringify(row) : await line(store, row))
    if (!rows.length && !values.json) print('No conversations yet. turnbuckle chat starts one.')
    return 0
  })
}

async function line(store: ConversationStore, row: ConversationRow): Promise<string> {
  const { inputTokens, outputTokens, cost } = row.usage
  const when = new Date(row.updatedAt).toISOString().slice(0, 16).replace('T', ' ')
  const used = `${short(inputTokens + outputTokens)} tokens ${money(cost)}`.trimEnd()
  return `${styled('cyan', row.id)}  ${styled('dim', when)}  ${oneLine(await titleOf(store, row), 50)}  ${styled('dim', used)}`
}

/** The title, or else how it began. */
export async function titleOf(store: ConversationStore, { id, title, head }: ConversationRow): Promise<string> {
  if (title) return title
  const path = head === undefined ? [] : await store.path(id, head)
  return textOf(path.find(({ message }) => message.role === 'user')?.message) || '(empty)'
}
