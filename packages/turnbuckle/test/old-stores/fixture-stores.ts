import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConversationStore, postgresStore, sqliteStore } from 'turnbuckle/stores'
import type { TestPostgres } from '../postgres.ts'
import { loadDump } from './postgres-dump.ts'

export const sqliteFile = 'conversations.db'
export const postgresFile = 'conversations.sql'

export type StoreKind = 'SQLite' | 'PostgreSQL'

/** A copy of a fixture, to be written to. */
export interface Copy {
  open(): ConversationStore
  remove(): void
}

/** `folder`: where a version has left its files. */
export function copySqlite(folder: string): Copy {
  const place = mkdtempSync(join(tmpdir(), 'turnbuckle-old-store-'))
  const file = join(place, sqliteFile)
  copyFileSync(join(folder, sqliteFile), file)
  return { open: () => sqliteStore(file), remove: () => rmSync(place, { recursive: true, force: true }) }
}

export async function copyPostgres(folder: string, postgres: TestPostgres): Promise<Copy> {
  const url = await postgres.schema('old_store')
  await loadDump(url, readFileSync(join(folder, postgresFile), 'utf8'))
  return { open: () => postgresStore(url), remove() {} }
}

/** What the version that wrote the stores made of them: a line of JSON for each store, then one for each situation. */
export const expectedFile = 'expected.jsonl'
