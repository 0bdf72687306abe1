import type { ConversationStore } from 'turnbuckle/stores'
import { loadSettings } from '../settings/load-settings.ts'
import { untrustedNotice } from '../settings/trust-file.ts'
import { printNote } from '../text/print.ts'
import { openStore } from './open-store.ts'

/** Opens the store that the settings name, for a command that only looks things up. `root`: the project's folder. */
export async function withStore<Result>(
  work: (store: ConversationStore, root: string) => Promise<Result>,
): Promise<Result> {
  const loaded = await loadSettings()
  const { store, notices } = await openStore(loaded)
  const refused = loaded.refused.length ? [untrustedNotice(loaded.refused)] : []
  for (const notice of [...refused, ...notices]) printNote(notice)
  try {
    return await work(store, loaded.root)
  } finally {
    await store.close()
  }
}
