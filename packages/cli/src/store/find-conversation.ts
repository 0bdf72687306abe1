import type { ConversationRow, ConversationStore, TurnRow } from 'turnbuckle/stores'
import { UserError } from '../errors/user-error.ts'

/** A conversation by its id, or by the beginning of one. */
export async function findConversation(store: ConversationStore, id: string): Promise<ConversationRow> {
  const exact = await store.conversation(id)
  if (exact) return exact
  return only(await store.list({ limit: 1000 }), id, 'conv_', 'conversation', 'turnbuckle list shows them.')
}

/** A turn by its id, by the beginning of one, or the `last`. */
export async function findTurn(store: ConversationStore, id: string): Promise<TurnRow> {
  const [exact] = await store.turns({ id })
  if (exact) return exact
  const turns = await store.turns({})
  const newest = id === 'last' ? turns.at(-1) : undefined
  return newest ?? only(turns, id, 'turn_', 'turn', 'turnbuckle show ID lists the turns of a conversation.')
}

/**
 * The only row whose id begins with `id`, with or without the `conv_` or `turn_` before it. Throws where there is none
 * or several.
 */
function only<Row extends { readonly id: string }>(
  rows: readonly Row[],
  id: string,
  before: string,
  what: string,
  see: string,
): Row {
  const close = rows.filter(row => row.id.startsWith(id) || row.id.startsWith(before + id))
  const [first, another] = close
  if (first && !another) return first
  if (!first) throw new UserError(`There is no ${what} "${id}". ${see}`)
  const shown = close.slice(0, 5).map(row => row.id)
  throw new UserError(`"${id}" could be ${shown.join(', ')}${close.length > 5 ? ' …' : ''}. Write more of it.`)
}
