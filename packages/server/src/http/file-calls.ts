import { z } from 'zod'
import type { Call } from './call.ts'
import { id, sharedConversation, shareLink } from './wire-schemas.ts'

/** Bytes of a file, and of a conversation to import. */
const [longestFile, longestImport] = [20 * 1024 * 1024, 32 * 1024 * 1024]

/** The calls about files, imported conversations and read-only links. */
export const fileCalls = {
  uploadFile: {
    method: 'post',
    path: '/api/files',
    act: 'makeConversation',
    summary: 'Upload a file, for `attachments`. One that no message uses is deleted after a day',
    query: z.object({ name: z.string().max(300).optional() }),
    takesBytes: longestFile,
    status: 201,
    answer: z.object({ id }),
  },
  readFile: {
    method: 'get',
    path: '/api/files/:id',
    act: 'readConversation',
    summary: 'The bytes of a file of a conversation that one may read, or of an own upload',
    status: 200,
    answersBytes: true,
    errors: { 404: 'file.missing' },
  },
  importConversation: {
    method: 'post',
    path: '/api/import',
    act: 'makeConversation',
    summary: 'A new conversation of an exported one, JSON or Markdown',
    takesBytes: longestImport,
    status: 201,
    answer: z.object({ id, head: id.nullable() }),
    errors: { 422: 'import.invalid, store.missing' },
  },
  makeShareLink: {
    method: 'post',
    path: '/api/conversations/:id/share',
    act: 'keepConversation',
    summary:
      'Make a read-only link: of the branch that ends with a message, or of the tree. Its address is shown this once',
    body: z.strictObject({ messageId: id.optional() }),
    status: 201,
    answer: z.object({ id, url: z.string() }),
    errors: { 404: 'conversation.missing, message.missing' },
  },
  listShareLinks: {
    method: 'get',
    path: '/api/conversations/:id/share',
    act: 'keepConversation',
    summary: 'The read-only links of a conversation, newest first',
    status: 200,
    answer: z.object({ links: z.array(shareLink) }),
    errors: { 404: 'conversation.missing' },
  },
  revokeShareLink: {
    method: 'delete',
    path: '/api/conversations/:id/share/:shareId',
    act: 'keepConversation',
    summary: 'Revoke a read-only link',
    status: 204,
    errors: { 404: 'conversation.missing, share.missing' },
  },
} as const satisfies Readonly<Record<string, Call>>

/** `agent`: a sub-agent’s conversation, instead of the one that the link is of. */
const sharedQuery = z.object({ agent: id.optional() })

/** Calls that the token of a read-only link opens, and no person's token. `shared-routes.ts` mounts them before the check of people's tokens. */
export const sharedCalls = {
  readShared: {
    method: 'get',
    path: '/api/shared/:id',
    summary: 'The conversation of a read-only link, with the link’s own token; or of a sub-agent that it called there',
    query: sharedQuery,
    status: 200,
    answer: sharedConversation,
    errors: { 404: 'share.missing, conversation.missing' },
  },
  readSharedFile: {
    method: 'get',
    path: '/api/shared/:id/files/:fileId',
    summary: 'The bytes of a file that a read-only link shows',
    query: sharedQuery,
    status: 200,
    answersBytes: true,
    errors: { 404: 'share.missing, conversation.missing, file.missing' },
  },
} as const satisfies Readonly<Record<string, Omit<Call, 'act'>>>
