import type { Message, Usage } from 'turnbuckle'
import type {
  AuditEntry,
  CallAgent,
  CallAnswer,
  ConversationCaller,
  ConversationSettings,
  ConversationSummary,
  HookFigures,
  NewSchedule,
  SharedAgent,
  SharedConversation,
  WireCall,
  WireConversation,
  WireHidden,
  WireMiddleware,
  WireModel,
  WireNode,
  WirePerson,
  WireRequest,
  WireSchedule,
  WireShareLink,
  WireTurn,
} from 'turnbuckle/client'
import { z } from 'zod'
import { roles } from '../access/roles.ts'

// Schemas of messages, turns, requests and conversations in HTTP calls and in frames of the WebSocket.

/** A schema for each member of a wire type: a member that the view gets is a type error here until OpenAPI has it. */
export type SchemasOf<Wire> = {
  readonly [Name in keyof Required<Wire>]: Record<never, never> extends Pick<Wire, Name>
    ? z.ZodOptional<SchemaOf<Wire[Name]>>
    : SchemaOf<Wire[Name]>
}
/** Objects and lists are checked where their own schema is; the parts of a message stay open. */
type SchemaOf<Value> = Extract<Value, object> extends never ? z.ZodType<Value> : z.ZodType

export const id = z.string().min(1).max(300)
export const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number().optional(),
  reasoningTokens: z.number().optional(),
  cost: z.number().optional(),
  knownCost: z.number().optional(),
  unknownCalls: z.number().optional(),
  estimated: z.boolean().optional(),
} satisfies SchemasOf<Usage>)
export const message = z.object({
  id,
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.array(z.unknown()),
  interrupted: z.boolean().optional(),
  by: z.string().optional(),
} satisfies SchemasOf<Message>)
export const node = z.object({
  id,
  parentId: id.nullable(),
  turnId: id.nullable(),
  message,
  usage: usage.optional(),
  cost: z.number().optional(),
  createdAt: z.number(),
} satisfies SchemasOf<WireNode>)
export const request = z.object({
  id,
  kind: z.string(),
  payload: z.unknown(),
  turnId: id,
  openedAt: z.number(),
  deadline: z.number().optional(),
  schema: z.looseObject({}).optional(),
  to: z.array(z.string()).optional(),
  voted: z.array(z.string()).optional(),
  again: z.object({ requestId: id, problem: z.string() }).optional(),
} satisfies SchemasOf<WireRequest>)
export const askedRequest = request.extend({ conversationId: id, owner: z.string() })
export const turn = z.object({
  id,
  seq: z.number(),
  parentId: id.nullable(),
  status: z.enum(['running', 'completed', 'stopped', 'failed', 'interrupted']),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
  error: z.string().optional(),
  finishReason: z.string().optional(),
  usage: usage.optional(),
} satisfies SchemasOf<WireTurn>)
const answer = z.object({
  requestId: id,
  decision: z.string(),
  by: z.string(),
  to: z.string().optional(),
} satisfies SchemasOf<CallAnswer>)
export const call = z.looseObject({
  turnId: id,
  callId: id,
  messageId: id.optional(),
  name: z.string(),
  status: z.enum(['pending', 'executing', 'ok', 'error', 'blocked', 'denied', 'interrupted', 'timeout', 'unknown']),
  args: z.unknown().optional(),
  startedAt: z.number().optional(),
  durationMs: z.number().optional(),
  agent: z
    .object({ name: z.string(), conversationId: id.optional(), turnId: id.optional() } satisfies SchemasOf<CallAgent>)
    .optional(),
  answers: z.array(answer).optional(),
} satisfies SchemasOf<WireCall>)
const sharedAccess = z.enum(['read', 'talk'])
const sharing = {
  owner: z.string().optional(),
  access: sharedAccess.optional(),
  people: z.record(z.string(), sharedAccess).optional(),
}
export const summary = z.object({
  id,
  title: z.string(),
  head: id.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  cost: z.number().optional(),
  usage,
  running: z.boolean(),
  waiting: z.number(),
  ...sharing,
} satisfies SchemasOf<ConversationSummary>)
export const conversation = z.object({
  id,
  title: z.string(),
  head: id.nullable(),
  seq: z.number(),
  at: z.number(),
  nodes: z.array(node),
  turns: z.array(turn),
  requests: z.array(request),
  calls: z.array(call),
  settings: z
    .object({
      model: z.string().optional(),
      instructions: z.string().optional(),
      params: z.looseObject({}).optional(),
    } satisfies SchemasOf<ConversationSettings>)
    .optional(),
  ...sharing,
  caller: z
    .object({
      conversationId: id,
      title: z.string(),
      agent: z.string(),
      messageId: id.optional(),
    } satisfies SchemasOf<ConversationCaller>)
    .optional(),
} satisfies SchemasOf<WireConversation>)
export const hidden = z.object({
  messageId: id,
  text: z.string(),
  count: z.number(),
} satisfies SchemasOf<WireHidden>)
export const hook = z.object({
  at: z.string(),
  calls: z.number(),
  failures: z.number(),
  p50: z.number(),
  p99: z.number(),
} satisfies SchemasOf<HookFigures>)
export const middleware = z.object({
  name: z.string(),
  description: z.string().optional(),
  enabled: z.boolean(),
  priority: z.number(),
  guard: z.boolean(),
  holdsWhenOff: z.literal(true).optional(),
  hooks: z.array(hook),
  inConversations: z.record(z.string(), z.boolean()).optional(),
  switched: z.array(z.object({ by: z.string(), at: z.number(), conversationId: id.optional() })).optional(),
  switchable: z.array(z.enum(['conversation', 'everyone'])),
} satisfies SchemasOf<WireMiddleware>)
export const person = z.object({
  name: z.string(),
  role: z.enum(roles),
  tokenHash: z.string(),
  by: z.string().optional(),
  createdAt: z.number().optional(),
  expiresAt: z.number().optional(),
} satisfies SchemasOf<WirePerson>)
export const auditEntry = z.object({
  id,
  at: z.number(),
  by: z.string(),
  act: z.enum([
    'answered',
    'voted',
    'granted',
    'revoked',
    'switched',
    'shared',
    'unshared',
    'scheduled',
    'unscheduled',
    'person.made',
    'person.revoked',
    'trusted',
    'configured',
  ]),
  what: z.string(),
  decision: z.string().optional(),
  scope: z.string().optional(),
  pattern: z.string().optional(),
  conversationId: id.optional(),
  requestId: id.optional(),
} satisfies SchemasOf<AuditEntry>)
const perMillion = z.number().min(0)
const price = z.object({
  input: perMillion,
  output: perMillion,
  cacheRead: perMillion.optional(),
  cacheWrite: perMillion.optional(),
  upTo: z.number().optional(),
} satisfies SchemasOf<NonNullable<WireModel['price']>>)
export const model = z.object({
  id: z.string(),
  offline: z.boolean().optional(),
  price: price.optional(),
} satisfies SchemasOf<WireModel>)
const sharedWhat = z.enum(['branch', 'tree'])
export const shareLink = z.object({
  id,
  what: sharedWhat,
  messageId: id.optional(),
  by: z.string(),
  createdAt: z.number(),
} satisfies SchemasOf<WireShareLink>)
/** A time of the calendar of JavaScript. */
const time = z.number().int().min(0).max(8.64e15)
export const newSchedule = z.strictObject({
  text: z.string().trim().min(1),
  at: time,
  every: z.number().int().min(1000).max(8.64e15).optional(),
} satisfies SchemasOf<NewSchedule>)
export const schedule = newSchedule.extend({ id, by: z.string() } satisfies SchemasOf<Pick<WireSchedule, 'id' | 'by'>>)
export const sharedConversation = z.object({
  title: z.string(),
  what: sharedWhat,
  head: id.nullable(),
  nodes: z.array(node),
  agents: z
    .array(
      z.object({
        turnId: id,
        callId: id,
        name: z.string(),
        conversationId: id,
        agentTurnId: id.optional(),
      } satisfies SchemasOf<SharedAgent>),
    )
    .optional(),
} satisfies SchemasOf<SharedConversation>)
const uploadedFile = z.strictObject({ id })
const inlineFile = z.object({
  mediaType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/),
  data: z
    .string()
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'Base64 is expected.')
    .refine(data => data.replace(/=+$/, '').length % 4 !== 1, 'Base64 is expected: this is cut.'),
  name: z.string().max(300).optional(),
})
export const attachment = z.union([uploadedFile, inlineFile])

const saidTurn = z
  .object({
    text: z.string(),
    parentId: id.nullable().optional(),
    attachments: z.array(attachment).max(20).optional(),
  })
  .refine(({ text, attachments }) => text.trim() !== '' || attachments?.length, 'Say something, or attach a file.')
export const newTurn = z.union([z.object({ regenerate: id }), z.object({ continue: z.literal(true) }), saidTurn])
export const interjection = z.object({ text: z.string().trim().min(1) })
export const anything = z.looseObject({})
