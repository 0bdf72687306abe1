import { z } from 'zod'
import type { Call } from './call.ts'
import { chatRoutes, openAiRoutes } from './client-routes.ts'
import { fileCalls } from './file-calls.ts'
import { peopleCalls } from './people-calls.ts'
import { scheduleCalls } from './schedule-calls.ts'
import { modelErrors, settingsCalls } from './settings-calls.ts'
import { conversationChange } from './settings-schemas.ts'
import {
  anything,
  askedRequest,
  conversation,
  hidden,
  id,
  interjection,
  middleware,
  model,
  newTurn,
  node,
  summary,
} from './wire-schemas.ts'

const noConversation = { 404: 'conversation.missing' }
/** Codes of a call that may wait for another process, which may delete the conversation meanwhile. */
const whileItWaits = 'conversation.missing, conversation.deleted'

export const calls = {
  createConversation: {
    method: 'post',
    path: '/api/conversations',
    act: 'makeConversation',
    summary: 'A new conversation',
    keyed: true,
    body: z.object({ title: z.string().trim().max(200).optional() }),
    status: 201,
    answer: z.object({ id, head: id.nullable() }),
    errors: { 422: 'idempotency.mismatch' },
  },
  listConversations: {
    method: 'get',
    path: '/api/conversations',
    act: 'readConversation',
    summary: 'Conversations, newest activity first',
    query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(100), before: id.optional() }),
    status: 200,
    answer: z.object({ conversations: z.array(summary) }),
    errors: noConversation,
  },
  getConversation: {
    method: 'get',
    path: '/api/conversations/:id',
    act: 'readConversation',
    summary: 'The whole tree, its turns, and what waits for an answer',
    status: 200,
    answer: conversation,
    errors: noConversation,
  },
  changeConversation: {
    method: 'patch',
    path: '/api/conversations/:id',
    act: 'talk',
    summary: 'Rename, move the head, or change its own model, instructions and parameters from the next turn on',
    body: conversationChange,
    status: 200,
    answer: summary,
    errors: { 404: `${whileItWaits}, message.missing`, 409: 'conversation.locked', 422: modelErrors },
  },
  deleteConversation: {
    method: 'delete',
    path: '/api/conversations/:id',
    act: 'keepConversation',
    summary: 'Interrupt what runs, and delete',
    status: 204,
    errors: noConversation,
  },
  exportConversation: {
    method: 'get',
    path: '/api/conversations/:id/export',
    act: 'readConversation',
    summary: 'A plain copy',
    status: 200,
    answer: z.object({ id, title: z.string(), head: id.nullable(), nodes: z.array(node) }),
    errors: noConversation,
  },
  startTurn: {
    method: 'post',
    path: '/api/conversations/:id/turns',
    act: 'talk',
    summary:
      'Send a message (another parent than the head makes a branch), regenerate an answer, or go on without a message',
    keyed: true,
    body: newTurn,
    status: 202,
    answer: z.object({ turnId: id, seq: z.number() }),
    errors: {
      404: `${whileItWaits}, message.missing, file.missing`,
      409: 'turn.running, conversation.locked',
      422: 'idempotency.mismatch, message.empty',
    },
  },
  hideMessage: {
    method: 'delete',
    path: '/api/conversations/:id/messages/:messageId',
    act: 'keepConversation',
    summary: 'Hide a message and all below it',
    status: 204,
    errors: { 404: `${whileItWaits}, message.missing`, 409: 'turn.running, conversation.locked' },
  },
  restoreMessage: {
    method: 'post',
    path: '/api/conversations/:id/messages/:messageId/restore',
    act: 'keepConversation',
    summary: 'Take hiding back',
    status: 204,
    errors: { 404: `${whileItWaits}, message.missing`, 409: 'conversation.locked' },
  },
  listHidden: {
    method: 'get',
    path: '/api/conversations/:id/hidden',
    act: 'keepConversation',
    summary: 'The messages that are hidden now',
    status: 200,
    answer: z.object({ hidden: z.array(hidden) }),
    errors: noConversation,
  },
  listModels: {
    method: 'get',
    path: '/api/models',
    act: 'makeConversation',
    summary: 'Models that can be used here, and which is the default',
    status: 200,
    answer: z.object({ default: z.string(), models: z.array(model) }),
  },
  search: {
    method: 'get',
    path: '/api/search',
    act: 'readConversation',
    summary: 'Find messages',
    query: z.object({ q: z.string().trim().min(1).max(500) }),
    status: 200,
    answer: z.object({
      results: z.array(
        z.object({
          conversationId: id,
          title: z.string(),
          messageId: id,
          role: z.string(),
          excerpt: z.string(),
          createdAt: z.number(),
        }),
      ),
    }),
  },
  interruptTurn: {
    method: 'post',
    path: '/api/turns/:id/interrupt',
    act: 'talk',
    summary: 'End a turn now',
    body: z.object({ reason: z.string().max(500).optional() }).optional(),
    status: 202,
    answer: z.object({ turnId: id }),
    errors: { 404: 'turn.missing', 409: 'turn.ended, conversation.locked' },
  },
  interject: {
    method: 'post',
    path: '/api/turns/:id/interject',
    act: 'talk',
    summary: 'Say something to a turn that runs',
    body: interjection,
    status: 202,
    answer: z.object({ turnId: id }),
    errors: { 404: 'turn.missing', 409: 'turn.ended, conversation.locked' },
  },
  explainTurn: {
    method: 'get',
    path: '/api/turns/:id/explain',
    act: 'readConversation',
    summary: 'Every directive: by whom, where, and whether it won',
    status: 200,
    answer: z.object({ turnId: id, decisions: z.array(anything) }),
    errors: { 404: 'turn.missing' },
  },
  traceTurn: {
    method: 'get',
    path: '/api/turns/:id/trace',
    act: 'readConversation',
    summary: 'The timeline: stages and hooks, their time, directives and changes',
    status: 200,
    answer: z.object({ turnId: id, spans: z.array(anything), open: z.array(anything) }),
    errors: { 404: 'turn.missing' },
  },
  listRequests: {
    method: 'get',
    path: '/api/requests',
    act: 'lookAround',
    summary: 'Open questions of other people’s conversations that name you',
    status: 200,
    answer: z.object({ requests: z.array(askedRequest) }),
  },
  answerRequest: {
    method: 'post',
    path: '/api/requests/:id/answer',
    act: 'answer',
    summary: 'Answer a question, as the person of the token. The first answer wins',
    body: z.unknown(),
    status: 200,
    answer: z.object({ requestId: id, decision: z.unknown() }),
    errors: {
      403: 'request.foreign',
      404: 'request.unknown, conversation.deleted',
      409: 'request.answered, conversation.locked',
      410: 'request.expired',
      422: 'request.invalid',
    },
  },
  listMiddleware: {
    method: 'get',
    path: '/api/middleware',
    act: 'lookAround',
    summary: 'The middleware, with what each hook costs',
    status: 200,
    answer: z.object({ middleware: z.array(middleware) }),
  },
  switchMiddleware: {
    method: 'patch',
    path: '/api/middleware/:name',
    act: 'switchInConversation',
    summary: 'Switch a middleware on or off, from the next stage on: for one conversation, or for everyone',
    body: z.object({ enabled: z.boolean(), conversationId: id.optional() }),
    status: 200,
    answer: middleware,
    errors: {
      403: 'role.missing',
      404: 'middleware.unknown, conversation.missing',
      422: 'middleware.invalid',
    },
  },
  listPermissions: {
    method: 'get',
    path: '/api/permissions',
    act: 'revokePermission',
    summary: 'Stored choices',
    status: 200,
    answer: z.object({ permissions: z.array(anything) }),
  },
  revokePermission: {
    method: 'delete',
    path: '/api/permissions/:id',
    act: 'revokePermission',
    summary: 'Revoke a stored choice',
    status: 204,
    errors: { 404: 'permission.missing' },
  },
  ...scheduleCalls,
  ...peopleCalls,
  ...settingsCalls,
  ...fileCalls,
} as const satisfies Readonly<Record<string, Call>>

/** Calls that are answered with a stream of events, and those of other people's clients. Their rooms mount them; the OpenAPI document lists them. */
export const streams = {
  followEvents: {
    method: 'get',
    path: '/api/conversations/:id/events',
    act: 'readConversation',
    summary: 'Server-sent events of a conversation, from after a number on. Honours Last-Event-ID',
    query: z.object({
      after: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
    }),
    headers: ['Last-Event-ID'],
    errors: noConversation,
  },
  runAgUi: {
    method: 'post',
    path: '/ag-ui',
    act: 'talk',
    summary: 'An AG-UI run: a turn, or with `resume` the rest of one',
    body: anything,
    errors: {
      403: 'request.foreign',
      404: `${whileItWaits}, request.unknown`,
      409: 'turn.running, request.answered, conversation.locked',
      410: 'request.expired',
      422: 'request.invalid',
    },
  },
  ...chatRoutes,
  ...openAiRoutes,
} as const

export type Calls = typeof calls
export type CallName = keyof Calls

type Parsed<Of, Key extends string> = Of extends { readonly [K in Key]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined

/** A body of bytes, with the media type that the sender gave it. */
export interface SentBytes {
  readonly bytes: Uint8Array
  readonly mediaType: string
}
/** An answer of bytes. */
export interface AnsweredBytes {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/** The checked input of a call's handler. */
export interface Input<Name extends CallName> {
  readonly person: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Parsed<Calls[Name], 'query'>
  readonly body: Calls[Name] extends { readonly takesBytes: number } ? SentBytes : Parsed<Calls[Name], 'body'>
  readonly key: string | undefined
}
export type Handlers = {
  readonly [Name in CallName]: (input: Input<Name>) => unknown
}
