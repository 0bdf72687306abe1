import { type CreateAgentOptions, createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { AuditList } from '../src/access/audit-list.ts'
import type { Role } from '../src/access/roles.ts'
import { ShareLinks } from '../src/access/share-links.ts'
import { Shares } from '../src/access/shares.ts'
import { ConversationService } from '../src/conversations/conversation-service.ts'
import { UploadedFiles } from '../src/conversations/stored/uploaded-files.ts'

interface MadeConversations {
  readonly conversations: ConversationService
  readonly audit: AuditList
}

/** The conversations of a server without its HTTP. Everyone is a member, but for those whose role is given. */
export function makeConversations(
  { model = scriptedModel(['Hi.'], { repeat: true }), store, ...rest }: Partial<CreateAgentOptions> & StoreOption = {},
  roles: Readonly<Record<string, Role>> = {},
): MadeConversations {
  const audit = new AuditList(store)
  const conversations = new ConversationService({
    agent: createAgent({ model, store, ...rest }),
    store,
    keptIdle: 100,
    roleOf: person => roles[person] ?? 'member',
    shares: new Shares(store),
    links: new ShareLinks(store),
    files: new UploadedFiles(store),
    audit,
  })
  return { conversations, audit }
}

interface StoreOption {
  readonly store?: ConstructorParameters<typeof ConversationService>[0]['store']
}
