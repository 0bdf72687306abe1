export { readAudit } from './access/audit-list.ts'
export { followSwitches } from './access/follow-switches.ts'
export type { NamedPerson } from './access/read-tokens.ts'
export { type Permissions, storedPermissions } from './access/stored-permissions.ts'
export { eraseConversation } from './conversations/stored/erase-conversation.ts'
export type {
  ScheduledOrder,
  SubAgentEngine,
  SubAgentOrder,
  SubAgentStand,
  TurnOrder,
  TurnRunner,
  TurnStand,
  TurnStart,
  TurnTime,
  WaitingRequest,
} from './conversations/turns/turn-runner.ts'
export { createServer, type Server, type ServerOptions } from './create-server.ts'
export type { Models } from './settings/models.ts'
export { recordedSettings } from './settings/recorded-settings.ts'
export type { ServerSettings, TrustedContent } from './settings/server-settings.ts'
export { createTurnWorker, type TurnWorker, type TurnWorkerOptions } from './work/turn-worker.ts'
