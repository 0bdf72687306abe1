export { type Permissions, storedPermissions } from './access/stored-permissions.ts'
export { eraseConversation } from './conversations/erase-conversation.ts'
export { createServer, type Server, type ServerOptions } from './create-server.ts'
