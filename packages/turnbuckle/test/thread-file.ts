import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { programs } from './bundle-thread.ts'

/** Stands for `conversation/sqlite/thread-file.ts` in tests, where the stores are read from their source. */
export const threadFile: URL = pathToFileURL(join(programs, 'sqlite-thread.mjs'))

export const hasThread = (): boolean => true
