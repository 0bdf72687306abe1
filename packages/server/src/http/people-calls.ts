import { z } from 'zod'
import { roles } from '../access/roles.ts'
import type { Call } from './call.ts'
import { auditEntry, id, person } from './wire-schemas.ts'

/** Names of people stand in addresses and lists. "me" is the one person of a terminal. */
const personName = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}._@-]{1,64}$/u, 'Letters, digits and . _ @ - make a name, at most 64.')
  .refine(name => name !== 'me', '"me" is the person of this machine’s terminal.')
/** Ten years, in milliseconds. */
const longestToken = 315_360_000_000

/** The calls about people: who one is, tokens, sharing with a person, the audit list. */
export const peopleCalls = {
  getMe: {
    method: 'get',
    path: '/api/me',
    act: 'lookAround',
    summary: 'The person of the token',
    status: 200,
    answer: z.object({ name: z.string(), role: z.enum(roles) }),
  },
  listPeople: {
    method: 'get',
    path: '/api/people',
    act: 'managePeople',
    summary: 'Everybody whose token counts, with the hashes of the tokens',
    status: 200,
    answer: z.object({ people: z.array(person) }),
  },
  makePerson: {
    method: 'post',
    path: '/api/people',
    act: 'managePeople',
    summary: 'Make a person. The token is shown this once; `expires` is milliseconds from now on',
    body: z.strictObject({
      name: personName,
      role: z.enum(roles),
      expires: z.number().int().min(1).max(longestToken).optional(),
    }),
    status: 201,
    answer: person.extend({ token: z.string() }),
    errors: { 409: 'person.exists' },
  },
  revokePerson: {
    method: 'delete',
    path: '/api/people/:name',
    act: 'managePeople',
    summary: 'Revoke a person’s token. Their sockets are closed with 4001',
    status: 204,
    errors: { 404: 'person.missing', 409: 'person.last' },
  },
  shareWithPerson: {
    method: 'put',
    path: '/api/conversations/:id/people/:name',
    act: 'keepConversation',
    summary: 'Share a conversation with a person, to read or to talk in',
    body: z.strictObject({ access: z.enum(['read', 'talk']) }),
    status: 200,
    answer: z.object({ name: z.string(), access: z.enum(['read', 'talk']) }),
    errors: { 404: 'conversation.missing, person.missing', 409: 'person.viewer' },
  },
  unshareWithPerson: {
    method: 'delete',
    path: '/api/conversations/:id/people/:name',
    act: 'keepConversation',
    summary: 'Share a conversation no longer with a person',
    status: 204,
    errors: { 404: 'conversation.missing, person.missing' },
  },
  readAudit: {
    method: 'get',
    path: '/api/audit',
    act: 'readAudit',
    summary: 'Who answered, voted, granted, switched, shared what and when, newest first',
    query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(100), before: id.optional() }),
    status: 200,
    answer: z.object({ entries: z.array(auditEntry) }),
  },
} as const satisfies Readonly<Record<string, Call>>
