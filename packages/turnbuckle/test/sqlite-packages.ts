import { createRequire } from 'node:module'

/** The SQLite packages that are here: Node has its own from 22.13 on, `libsql` is always installed. */
export const sqlitePackages: readonly ('node:sqlite' | 'libsql')[] = (['node:sqlite', 'libsql'] as const).filter(
  name => {
    try {
      createRequire(import.meta.url)(name)
      return true
    } catch {
      return false
    }
  },
)
