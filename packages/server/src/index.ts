export { createServer, type Server, type ServerOptions } from './create-server.ts'
export type { Permissions } from './desk.ts'
export { eraseConversation } from './erase.ts'
export { storedPermissions } from './permissions.ts'
