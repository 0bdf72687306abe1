export type { OwnCommands } from '../conversation/channel/carried-turns.ts'
export type { Channel, ChannelListener } from '../conversation/channel/channel.ts'
export { type SharedTurns, type ShareTurnsOptions, shareTurns } from '../conversation/channel/share-turns.ts'
export { type StoreNews, watchStore } from '../conversation/channel/store-news.ts'
export type { CommandAnswer, LiveNews, TurnCommand } from '../conversation/channel/turn-messages.ts'
export { type KeptFile, KeptFiles } from '../conversation/files/kept-files.ts'
export { exportConversation } from '../conversation/portable/export-conversation.ts'
export { importConversation } from '../conversation/portable/import-conversation.ts'
export type { PortableConversation, PortableNode } from '../conversation/portable/portable-conversation.ts'
export type { Difference } from '../conversation/replay/compare-decisions.ts'
export type { TextDifference } from '../conversation/replay/compare-texts.ts'
export type { Divergence } from '../conversation/replay/recorded-turn.ts'
export { replay } from '../conversation/replay/replay.ts'
export { type ReplayTrial, replayTrial } from '../conversation/replay/replay-trial.ts'
export type { Replayed, ReplayedTurn, ReplayOptions, TurnToReplay } from '../conversation/replay/replayed.ts'
export type { StandInAnswers, StandInCall, StandInModels, StandInQuestion } from '../conversation/replay/stand-ins.ts'
export { type Change, changesOf, isCheckpoint } from '../conversation/sql/changes-of.ts'
export { type SqliteCache, type SqliteCacheOptions, sqliteCache } from '../conversation/sqlite/sqlite-cache.ts'
export { type SqliteRates, sqliteRates } from '../conversation/sqlite/sqlite-rates.ts'
export { type SqliteOptions, sqliteStore } from '../conversation/sqlite/sqlite-store.ts'
export { type ConversationStore, createStore, type StoreOptions } from '../conversation/stores/create-store.ts'
export type {
  Commit,
  Committed,
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
} from '../conversation/stores/driver.ts'
export { indexedDbStore } from '../conversation/stores/indexed-db-store.ts'
export type { Loss } from '../conversation/stores/loss.ts'
export { memoryStore } from '../conversation/stores/memory-store.ts'
export { type PostgresOptions, postgresStore } from '../conversation/stores/postgres-store.ts'
export { keptFileAddress } from '../core/base/kept-file.ts'
export { wholeMessages } from '../core/model/whole-messages.ts'
