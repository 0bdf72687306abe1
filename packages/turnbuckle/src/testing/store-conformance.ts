import type { ConversationStore, StoreOptions } from '../conversation/stores/create-store.ts'
import type { Maybe } from '../conversation/stores/driver.ts'
import type { ConformanceCase, RegisterTest } from './hook-conformance.ts'
import { storeFacts } from './store-facts/index.ts'

/** Opens a store. Two with the same database name share what is in it; a new name is an empty one. */
export type OpenStore = (database: string, options?: StoreOptions) => Maybe<ConversationStore>

/**
 * Proves that a store keeps what its port promises: commits whole and in order, one writer, the tables that are read
 * from. Knows no test framework.
 *
 * ```ts
 * storeConformance((database, options) => sqliteStore(join(folder, database), options), test)
 * ```
 */
export function storeConformance(open: OpenStore, test?: RegisterTest): readonly ConformanceCase[] {
  let count = 0
  const cases = storeFacts.map(({ title, prove }) => ({
    title,
    async run() {
      const database = `case_${++count}`
      const opened: ConversationStore[] = []
      const another = async (options?: StoreOptions) => {
        const store = await open(database, options)
        opened.push(store)
        return store
      }
      try {
        await prove({ store: await another(), another })
      } finally {
        for (const store of opened) await store.close()
      }
    },
  }))
  if (test) for (const { title, run } of cases) test(title, run)
  return cases
}
