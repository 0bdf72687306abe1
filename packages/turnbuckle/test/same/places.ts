import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ConversationStore } from 'turnbuckle/stores'
import type { Library } from './library.ts'
import type { Program } from './program.ts'

/** The store of one program. */
export interface Place {
  /** The store as the version that plays a life opens it. */
  open(library: Library): ConversationStore
  close(): Promise<void>
}

/** Gives each program its place. One database in memory serves many programs, since making its schema takes longer than most of them. */
export class Places {
  readonly #folder: string
  readonly #databases = new Map<Library, { readonly store: ConversationStore; used: number }>()

  constructor(folder: string) {
    this.#folder = folder
  }

  for({ store, kind }: Program): Place | undefined {
    if (store === 'none') return undefined
    if (kind === 'across') return filePlace(this.#folder)
    return store === 'sqlite' ? this.#sharedPlace() : memoryPlace()
  }

  #sharedPlace(): Place {
    let store: ConversationStore | undefined
    return {
      open: library => {
        store ??= this.#database(library)
        return store
      },
      async close() {
        for (const { id } of (await store?.list({ limit: 1000 })) ?? []) await store?.delete(id)
      },
    }
  }
  #database(library: Library): ConversationStore {
    const known = this.#databases.get(library)
    if (known && known.used++ < 200) return known.store
    known?.store.close()
    const store = library.stores.sqliteStore(':memory:')
    this.#databases.set(library, { store, used: 1 })
    return store
  }
}

function memoryPlace(): Place {
  let store: ConversationStore | undefined
  return {
    open({ stores }) {
      store ??= stores.memoryStore()
      return store
    },
    async close() {},
  }
}

/** A file, opened anew by the version that plays each life. */
function filePlace(folder: string): Place {
  const home = mkdtempSync(join(folder, 'across-'))
  const opened: ConversationStore[] = []
  return {
    open({ stores }) {
      const store = stores.sqliteStore(join(home, 'c.db'))
      opened.push(store)
      return store
    },
    async close() {
      for (const store of opened) await store.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
