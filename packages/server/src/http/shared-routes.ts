import type { Context, Hono } from 'hono'
import { TurnbuckleError } from 'turnbuckle'
import type { SharedConversation } from 'turnbuckle/client'
import { bearerToken } from '../access/access-check.ts'
import type { People } from '../access/people.ts'
import type { ShareLinks } from '../access/share-links.ts'
import { notFound } from '../base/not-found.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import { sharedAgent, sharedConversation, showsFile } from '../conversations/shared-conversation.ts'
import type { UploadedFiles } from '../conversations/stored/uploaded-files.ts'
import { json, sendBytes, type Visit } from './app.ts'
import { fileAnswer } from './file-answer.ts'
import { sharedCalls } from './file-calls.ts'

interface SharedRoutesOptions {
  readonly links: ShareLinks
  readonly people: People
  readonly conversations: ConversationService
  readonly files: UploadedFiles
}

const noLink = (): TurnbuckleError =>
  new TurnbuckleError('share.missing', 'This link shows nothing: it was revoked, or its conversation was deleted.')

/** What a link shows, and the conversations whose files it opens. */
interface Shown {
  readonly shared: SharedConversation
  readonly ids: readonly string[]
}

/** Mounts what a read-only link opens. A wrong token, a revoked link and one that never was are told alike. */
export function mountSharedRoutes(
  app: Hono<Visit>,
  { links, people, conversations, files }: SharedRoutesOptions,
): void {
  /** With the rights of the person who made the link: once they have lost theirs, the link shows nothing. */
  const read = async (c: Context): Promise<Shown> => {
    const token = bearerToken(c.req.header('authorization'))
    if (!token) throw new TurnbuckleError('token.invalid', 'Send the token of the link: Authorization: Bearer TOKEN.')
    const link = await links.find(c.req.param('id') ?? '', token)
    if (!link || !people.find(link.by)) throw noLink()
    const view = await conversations.view(link.by, link.conversationId).catch(() => undefined)
    const shared = view && sharedConversation(view, link)
    if (!shared) throw noLink()
    c.header('cache-control', 'no-store')
    const agent = c.req.query('agent')
    const { conversationId } = link
    if (agent === undefined) return { shared, ids: [conversationId] }
    return { shared: await readAgent(link, shared, agent), ids: [conversationId, agent] }
  }
  /** A sub-agent's conversation, where a message that the link shows has called it, or one of a sub-agent that it shows. */
  const readAgent = async (
    link: { readonly by: string; readonly conversationId: string },
    shared: SharedConversation,
    id: string,
  ): Promise<SharedConversation> => {
    const view = await conversations.view(link.by, id).catch(() => undefined)
    const callerId = view?.caller?.conversationId
    const missing = notFound('conversation', id)
    if (!view || callerId === undefined) throw missing
    const caller = callerId === link.conversationId ? shared : await readAgent(link, shared, callerId)
    const agent = sharedAgent(caller, view)
    if (!agent) throw missing
    return agent
  }
  app.get(sharedCalls.readShared.path, async c => json(c, 200, (await read(c)).shared))
  app.get(sharedCalls.readSharedFile.path, async c => {
    const fileId = c.req.param('fileId')
    const missing = new TurnbuckleError('file.missing', 'This link shows no such file.')
    const { shared, ids } = await read(c)
    if (!showsFile(shared, fileId)) throw missing
    const file = await files.find(fileId)
    // A message may have the address of a file of another conversation: whoever imports one writes it.
    if (!ids.includes(file.conversation ?? '')) throw missing
    return sendBytes(c, fileAnswer(file, await files.bytes(file)))
  })
}
