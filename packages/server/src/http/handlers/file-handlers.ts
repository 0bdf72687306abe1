import { TurnbuckleError } from 'turnbuckle'
import type { AuditList } from '../../access/audit-list.ts'
import type { ShareLinks } from '../../access/share-links.ts'
import { notFound } from '../../base/not-found.ts'
import type { ConversationService } from '../../conversations/conversation-service.ts'
import type { UploadedFiles } from '../../conversations/stored/uploaded-files.ts'
import type { Handlers } from '../contract.ts'
import { fileAnswer } from '../file-answer.ts'
import type { fileCalls } from '../file-calls.ts'

export interface FileHandlersOptions {
  readonly conversations: ConversationService
  readonly files: UploadedFiles
  readonly links: ShareLinks
  readonly audit: AuditList
}

/** The calls about files, imported conversations and read-only links. */
export function createFileHandlers({
  conversations,
  files,
  links,
  audit,
}: FileHandlersOptions): Pick<Handlers, keyof typeof fileCalls> {
  /** Throws `file.missing` for a file of a conversation that the person may not read as for none. */
  const readable = async (person: string, id: string) => {
    const file = await files.find(id)
    const isReadable =
      file.conversation === undefined
        ? file.by === person
        : await conversations.open(person, file.conversation, 'readConversation').catch(() => undefined)
    if (!isReadable) throw notFound('file', id)
    return file
  }
  return {
    uploadFile: ({ person, query: { name }, body }) => files.upload(person, { ...body, name }),
    async readFile({ person, params: { id = '' } }) {
      const file = await readable(person, id)
      return fileAnswer(file, await files.bytes(file))
    },
    importConversation: ({ person, body }) => conversations.import(person, new TextDecoder().decode(body.bytes)),
    async makeShareLink({ person, params: { id = '' }, body: { messageId } }) {
      await conversations.open(person, id, 'keepConversation')
      const { nodes } = await conversations.view(person, id)
      if (messageId !== undefined && !nodes.some(node => node.id === messageId)) throw notFound('message', messageId)
      const link = await links.make(id, person, messageId)
      const decision = messageId === undefined ? 'tree' : 'branch'
      await audit.add({ by: person, act: 'shared', what: link.id, decision, conversationId: id })
      // Behind the hash sign: no server and no proxy is ever told the token by following the link.
      return { id: link.id, url: `/s/${link.id}#share=${link.token}` }
    },
    async listShareLinks({ person, params: { id = '' } }) {
      await conversations.open(person, id, 'keepConversation')
      return { links: await links.list(id) }
    },
    async revokeShareLink({ person, params: { id = '', shareId = '' } }) {
      await conversations.open(person, id, 'keepConversation')
      if (!(await links.revoke(id, shareId)))
        throw new TurnbuckleError('share.missing', 'There is no such link: it may be revoked already.')
      await audit.add({ by: person, act: 'unshared', what: shareId, conversationId: id })
    },
  }
}
