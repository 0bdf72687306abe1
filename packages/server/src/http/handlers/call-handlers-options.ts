import type { Agent } from 'turnbuckle'
import type { AuditList } from '../../access/audit-list.ts'
import type { LiveConnections } from '../../access/live-connections.ts'
import type { MiddlewareSwitches } from '../../access/middleware-switches.ts'
import type { People } from '../../access/people.ts'
import type { RoleOf } from '../../access/roles.ts'
import type { ShareLinks } from '../../access/share-links.ts'
import type { Permissions } from '../../access/stored-permissions.ts'
import type { ConversationService } from '../../conversations/conversation-service.ts'
import type { UploadedFiles } from '../../conversations/stored/uploaded-files.ts'
import type { Inspector } from '../../inspector/inspector.ts'
import type { Models } from '../../settings/models.ts'
import type { ServerSettings } from '../../settings/server-settings.ts'

/** The parts of a server that its calls are about. */
export interface CallHandlersOptions {
  readonly agent: Agent
  readonly conversations: ConversationService
  readonly inspector: Inspector
  readonly permissions: Permissions | undefined
  readonly switches: MiddlewareSwitches
  readonly roleOf: RoleOf
  readonly people: People
  readonly audit: AuditList
  readonly connections: LiveConnections
  readonly files: UploadedFiles
  readonly links: ShareLinks
  readonly models: Models
  readonly settings: ServerSettings | undefined
}
