import type {
  ModelParams,
  RuleLists,
  WireMcpServer,
  WireMcpSetting,
  WireMiddlewareEntry,
  WireProvider,
  WireRules,
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

const rule = z.string().trim().min(1).max(1000)
const rules = z.array(rule).max(1000).nullable().exactOptional()
const shortText = z.string().trim().min(1).max(4000)
/** Values of variables and headers: they may be keys. */
const secrets = z.record(z.string().min(1).max(200), z.string().max(4000).nullable()).exactOptional()
/** A name that is part of the names of the server's tools. */
const serverName = z.string().regex(/^[\w.-]{1,60}$/, 'Letters, digits, dots, dashes and underscores.')
const mcpSetting = z.strictObject({
  command: shortText.exactOptional(),
  args: z.array(z.string().max(4000)).max(200).exactOptional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(4000)
    .exactOptional(),
  env: secrets,
  headers: secrets,
})
const middlewareSetting = z.strictObject({
  use: shortText,
  options: z.unknown().exactOptional(),
  priority: z.number().exactOptional(),
  enabled: z.boolean().exactOptional(),
})

/** At most a day; 0 for no limit. */
const milliseconds = z.number().int().min(0).max(86_400_000).nullable().exactOptional()

export const settingsChange = z.strictObject({
  model: modelName.nullable().exactOptional(),
  instructions: instructions.nullable().exactOptional(),
  params: z.strictObject(params).exactOptional(),
  maxSteps: z.number().int().min(1).max(100_000).nullable().exactOptional(),
  idleTimeoutMs: milliseconds,
  firstDataTimeoutMs: milliseconds,
  retry: z
    .strictObject({ times: z.number().int().min(0).max(100) })
    .nullable()
    .exactOptional(),
  tools: z
    .strictObject({
      files: z
        .union([z.boolean(), z.literal('read')])
        .nullable()
        .exactOptional(),
      shell: z.boolean().nullable().exactOptional(),
      fetch: z.boolean().nullable().exactOptional(),
    })
    .exactOptional(),
  env: z.record(z.string().max(100), z.string().trim().min(1).max(4000).nullable()).exactOptional(),
  permissions: z.strictObject({ allow: rules, ask: rules, deny: rules }).exactOptional(),
  mcpServers: z.record(serverName, mcpSetting.nullable()).exactOptional(),
  middleware: z.array(middlewareSetting).max(200).nullable().exactOptional(),
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
  later: z.unknown().optional(),
} satisfies SchemasOf<WireSetting>)
const variable = setting
  .omit({ later: true })
  .extend({ set: z.boolean(), value: z.string().optional() } satisfies Partial<SchemasOf<WireVariable>>)
const texts = z.array(z.string())
const ruleLists = z.object({
  allow: texts.optional(),
  ask: texts.optional(),
  deny: texts.optional(),
} satisfies SchemasOf<RuleLists>)
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
      names: texts,
      options: z.unknown().optional(),
      priority: z.number().optional(),
      enabled: z.boolean().optional(),
      later: z.literal(true).optional(),
    } satisfies SchemasOf<WireMiddlewareEntry>),
  ),
  middlewareNames: texts,
  permissions: z.object({ user: ruleLists, project: ruleLists, harmless: texts } satisfies SchemasOf<WireRules>),
  mcpServers: z.record(
    z.string(),
    z.object({
      command: z.string().optional(),
      args: texts.optional(),
      url: z.string().optional(),
      env: texts.optional(),
      headers: texts.optional(),
    } satisfies SchemasOf<WireMcpSetting>),
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
