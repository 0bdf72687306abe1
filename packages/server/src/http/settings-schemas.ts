import type {
  ModelParams,
  WireMcpServer,
  WireMiddlewareEntry,
  WireProvider,
  WireSetting,
  WireSettings,
  WireTool,
  WireTrustItem,
  WireVariable,
} from 'turnbuckle/client'
import { z } from 'zod'
import { id, type SchemasOf } from './wire-schemas.ts'

// Schemas of the calls about models, tools and settings.

const modelName = z.string().trim().min(1).max(300)
/** Instructions of a person, in characters. */
const instructions = z.string().max(100_000)
const params = {
  temperature: z.number().min(0).max(2).nullable().exactOptional(),
  topP: z.number().min(0).max(1).nullable().exactOptional(),
  maxOutputTokens: z.number().int().min(1).max(10_000_000).nullable().exactOptional(),
  reasoning: z.enum(['low', 'medium', 'high']).nullable().exactOptional(),
} satisfies { readonly [Name in keyof Required<ModelParams>]: z.ZodType }

export const conversationChange = z.object({
  title: z.string().trim().min(1).max(200).optional(),
  head: id.optional(),
  model: modelName.nullable().optional(),
  instructions: instructions.nullable().optional(),
  params: z.strictObject(params).optional(),
})

export const settingsChange = z.strictObject({
  model: modelName.nullable().exactOptional(),
  instructions: instructions.nullable().exactOptional(),
  params: z.strictObject(params).exactOptional(),
  env: z.record(z.string().max(100), z.string().trim().min(1).max(4000).nullable()).exactOptional(),
})

export const providerTrial = z.strictObject({
  key: z.string().trim().min(1).max(4000).exactOptional(),
  address: z.string().trim().min(1).max(4000).exactOptional(),
  model: modelName.exactOptional(),
})

const from = z.enum(['default', 'user', 'project', 'flag', 'environment'])
const file = z.enum(['user', 'project'])
const setting = z.object({
  value: z.unknown().optional(),
  from,
  place: z.string().optional(),
  fixed: z.literal(true).optional(),
} satisfies SchemasOf<WireSetting>)
const variable = setting.extend({ set: z.boolean(), value: z.string().optional() } satisfies Partial<
  SchemasOf<WireVariable>
>)
export const settings = z.object({
  file: z.string(),
  settings: z.record(z.string(), setting),
  env: z.record(z.string(), variable),
  providers: z.array(
    z.object({
      name: z.string(),
      about: z.string(),
      key: z.string().optional(),
      address: z.string(),
      asksAddress: z.literal(true).optional(),
    } satisfies SchemasOf<WireProvider>),
  ),
  middleware: z.array(
    z.object({
      use: z.string(),
      from: file,
      names: z.array(z.string()),
      options: z.unknown().optional(),
    } satisfies SchemasOf<WireMiddlewareEntry>),
  ),
} satisfies SchemasOf<WireSettings>)

export const tool = z.object({
  name: z.string(),
  description: z.string(),
  schema: z.looseObject({}),
  permission: z.object({ decision: z.enum(['allow', 'ask', 'deny']), rules: z.array(z.string()) }).optional(),
} satisfies SchemasOf<WireTool>)

export const mcpServer = z.object({
  name: z.string(),
  from: file,
  state: z.enum(['connecting', 'ready', 'failed', 'closed', 'untrusted']),
  trusted: z.boolean(),
  error: z.string().optional(),
  does: z.string().optional(),
  tools: z.array(z.string()),
} satisfies SchemasOf<WireMcpServer>)

const kind = z.enum(['settings', 'hook', 'mcp', 'store', 'command'])
export const trustItem = z.object({
  kind,
  name: z.string(),
  does: z.string(),
  hash: z.string(),
  text: z.string().optional(),
  trustedText: z.string().optional(),
} satisfies SchemasOf<WireTrustItem>)
export const trustedContent = z.strictObject({ kind, name: z.string().max(4000), hash: z.string().max(200) })
