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
  const close = (await store.list({ limit: 1000 })).filter(
    row => row.id.startsWith(id) || row.id.startsWith(`conv_${id}`),
  )
  const [only] = close
  if (only && close.length === 1) return only
  if (only)
    throw new Mistake(
      `"${id}" could be ${close
        .slice(0, 5)
        .map(row => row.id)
        .join(', ')}. Write more of it.`,
    )
  throw new Mistake(`There is no conversation "${id}". turnbuckle list shows them.`)
}

export async function findTurn(store: ConversationStore, id: string): Promise<TurnRow> {
  const [turn] = await store.turns({ id })
  if (turn) return turn
  throw new Mistake(`There is no turn "${id}". turnbuckle show ID lists the turns of a conversation.`)
}
