export type {
  Commit,
  ConversationRow,
  Driver,
  Hit,
  ListAsked,
  LogRecord,
  NodeRow,
  Place,
  RequestRow,
  RequestsAsked,
  SearchAsked,
  TurnRow,
  TurnsAsked,
} from '../conversation/driver.ts'
export { exportConversation, importConversation } from '../conversation/export.ts'
export type { Loss } from '../conversation/loss.ts'
export type { PortableConversation, PortableNode } from '../conversation/portable.ts'
export { type Change, changesOf, isCheckpoint } from '../conversation/project.ts'
export type { Divergence } from '../conversation/recording.ts'
export { type Difference, type Replayed, type ReplayOptions, replay } from '../conversation/replay.ts'
export { type ConversationStore, createStore, type StoreOptions } from '../conversation/store.ts'
export { memoryStore } from '../conversation/stores/memory.ts'
export { postgresStore } from '../conversation/stores/postgres.ts'
export { type SqliteOptions, sqliteStore } from '../conversation/stores/sqlite.ts'
export { type SqliteCache, type SqliteCacheOptions, sqliteCache } from '../conversation/stores/sqlite-cache.ts'
export { type SqliteRates, sqliteRates } from '../conversation/stores/sqlite-rates.ts'
