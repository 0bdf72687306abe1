import type { ConversationRow, ConversationStore, TurnRow } from 'turnbuckle/stores'
import { openStore } from '../compose/open-store.ts'
import { Mistake } from '../mistake.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { untrustedNotice } from '../settings/trust.ts'

/** Opens the store that the settings name, for a command that only looks things up. */
export async function withStore<Result>(work: (store: ConversationStore) => Promise<Result>): Promise<Result> {
  const loaded = await loadSettings()
  const { store, notices } = await openStore(loaded)
  const refused = loaded.refused.length ? [untrustedNotice(loaded.refused)] : []
  for (const notice of [...refused, ...notices]) process.stderr.write(`${notice}\n`)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

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

/** The one whose id begins so, with what stands before every id or without. */
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
  if (!first) throw new Mistake(`There is no ${what} "${id}". ${see}`)
  const shown = close.slice(0, 5).map(row => row.id)
  throw new Mistake(`"${id}" could be ${shown.join(', ')}${close.length > 5 ? ' …' : ''}. Write more of it.`)
}
