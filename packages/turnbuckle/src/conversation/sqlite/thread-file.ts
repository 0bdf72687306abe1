import { nodeModule } from '../platform/node-module.ts'

/** The program of the SQLite thread: in the built package a file beside this one. */
export const threadFile: URL = new URL('./sqlite-thread.mjs', import.meta.url)

/** False in a program that was bundled into one file without it: its SQLite works on the main thread. */
export const hasThread = (): boolean => nodeModule('node:fs').existsSync(threadFile)
