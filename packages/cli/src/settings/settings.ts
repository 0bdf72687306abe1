import type { ModelParams, PersonRole } from 'turnbuckle/client'
import type { McpOAuth } from 'turnbuckle/mcp'
import { middlewareNames, unknownMiddlewareText } from '../compose/make-named-middleware.ts'
import { UserError } from '../errors/user-error.ts'
import { storeForms, storeKindOf } from '../store/store-kinds.ts'
import { type ThemeName, themeNames } from '../text/theme.ts'
import { checkSetting } from './check-setting.ts'
import { placePrefix, type SettingPlace } from './setting-place.ts'
import {
  amount,
  anything,
  boolean,
  count,
  list,
  map,
  number,
  object,
  oneOf,
  type SettingShape,
  text,
} from './setting-shape.ts'

export interface MiddlewareEntry {
  /** A name (`step-limit`), or a module's path (`./hooks/no-secrets.ts`). */
  readonly use: string
  readonly options?: unknown
  readonly priority?: number
  readonly enabled?: boolean
}

export type McpEntry =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | {
      readonly url: string
      readonly headers?: Readonly<Record<string, string>>
      readonly type?: 'http' | 'sse'
      readonly oauth?: McpOAuth
    }

/** The sandbox of commands. A project's file may only make it stricter. */
export interface SandboxSettings {
  /** On by default. Off only in the user's file. */
  readonly enabled?: boolean
  /** No command runs where the system has no sandbox. */
  readonly required?: boolean
  /** Hosts that commands reach. Of a project's list only those count that the user's has. */
  readonly network?: readonly string[]
  /** Folders besides the project's that commands write to. Only in the user's file. */
  readonly write?: readonly string[]
}

/** A sub-agent, which the agent calls as a tool. */
export interface AgentEntry {
  /** Says the model when to call it. */
  readonly description?: string
  readonly instructions: string
  /** Names of the agent's own tools; all of them by default. */
  readonly tools?: readonly string[]
  /** The agent's by default. */
  readonly model?: string
}

export interface PermissionSettings {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
}

/** True when `use` is the path of a module, not a name of the library. */
export const isModulePath = (use: string): boolean => /^\.{0,2}\//.test(use) || /\.[cm]?[jt]s$/.test(use)

/** The contents of a settings file. */
export interface Settings {
  readonly model?: string
  readonly instructions?: string
  /** Parameters of every model call. */
  readonly params?: ModelParams
  readonly maxSteps?: number
  readonly tools?: { readonly files?: boolean | 'read'; readonly shell?: boolean; readonly fetch?: boolean }
  readonly sandbox?: SandboxSettings
  readonly mcpServers?: Readonly<Record<string, McpEntry>>
  /** Sub-agents by name. */
  readonly agents?: Readonly<Record<string, AgentEntry>>
  readonly permissions?: PermissionSettings
  readonly middleware?: readonly MiddlewareEntry[]
  /** Claude Code's files count here: hooks, commands, sub-agents, skills, CLAUDE.md and .mcp.json. */
  readonly claudeHooks?: boolean
  readonly store?: string
  /** Milliseconds between two pieces of a reply; 0 for no limit. */
  readonly idleTimeoutMs?: number
  /** Milliseconds until a reply begins; 0 for no limit. */
  readonly firstDataTimeoutMs?: number
  /** How often a model call that failed for a passing reason is tried again. */
  readonly retry?: { readonly times?: number }
  /** Colours of the chat. */
  readonly theme?: ThemeName
  /** Keys of vim in the chat's input. Only in the user's file. */
  readonly vim?: boolean
  /** The bell rings when a turn that took longer ends or asks; 0 never. 15 by default. Only in the user's file. */
  readonly bellAfterSeconds?: number
  /** People who share the server, by name, behind those of TURNBUCKLE_TOKENS. Only in the user's file. */
  readonly people?: Readonly<Record<string, { readonly token: string; readonly role?: PersonRole }>>
  /** Keys and endpoints. Only in the user's file. */
  readonly env?: Readonly<Record<string, string>>
}

const patterns = list(text)
const roles: readonly PersonRole[] = ['owner', 'member', 'viewer']
/** A parameter of `ModelParams` without a shape is a type error. */
const paramShapes: Readonly<Record<keyof ModelParams, SettingShape>> = {
  temperature: number,
  topP: number,
  maxOutputTokens: count,
  reasoning: oneOf('low', 'medium', 'high'),
}
export const paramNames = Object.keys(paramShapes) as (keyof ModelParams)[]

/** A key of `Settings` without a shape is a type error. */
const shapes: Readonly<Record<keyof Settings | '$schema', SettingShape>> = {
  model: text,
  instructions: text,
  params: object(paramShapes),
  maxSteps: count,
  tools: object({ files: oneOf(true, false, 'read'), shell: boolean, fetch: boolean }),
  sandbox: object({ enabled: boolean, required: boolean, network: list(text), write: list(text) } satisfies Readonly<
    Record<keyof SandboxSettings, SettingShape>
  >),
  mcpServers: map(
    object({
      command: text,
      args: list(text),
      env: map(text),
      url: text,
      headers: map(text),
      type: oneOf('http', 'sse'),
      oauth: object({
        flow: oneOf('browser', 'device'),
        clientId: text,
        clientSecret: text,
        clientMetadataUrl: text,
        scope: text,
        port: count,
      }),
    }),
  ),
  agents: map(
    object(
      { description: text, instructions: text, tools: list(text), model: text } satisfies Readonly<
        Record<keyof AgentEntry, SettingShape>
      >,
      'instructions',
    ),
  ),
  permissions: object({ allow: patterns, ask: patterns, deny: patterns }),
  middleware: list(object({ use: text, options: anything, priority: number, enabled: boolean }, 'use')),
  claudeHooks: boolean,
  store: text,
  idleTimeoutMs: amount,
  firstDataTimeoutMs: amount,
  retry: object({ times: amount }),
  theme: oneOf(...themeNames),
  vim: boolean,
  bellAfterSeconds: amount,
  people: map(object({ token: text, role: oneOf(...roles) }, 'token')),
  env: map(text),
  $schema: text,
}

/** The keys that a settings file may have. */
export const settingNames: readonly string[] = Object.keys(shapes)

/** Checks what a file says. A project's may not set keys, endpoints or a database elsewhere. */
export function readSettings(value: unknown, place: SettingPlace, whose: 'user' | 'project'): Settings {
  checkSetting(value, object(shapes), place)
  const settings = value as Settings
  for (const [name, server] of Object.entries(settings.mcpServers ?? {}))
    if ('command' in server === 'url' in server)
      throw new UserError(
        `${placePrefix(place, ['mcpServers', name])}"mcpServers.${name}" needs either a "command" or a "url".`,
      )
  for (const [i, { use }] of (settings.middleware ?? []).entries()) {
    const where = placePrefix(place, ['middleware', String(i), 'use'])
    if (use === 'approval') throw new UserError(`${where}approval is always on. Write its rules under "permissions".`)
    if (!isModulePath(use) && !middlewareNames.includes(use))
      throw new UserError(`${where}${unknownMiddlewareText(use)}`)
  }
  if (settings.store !== undefined && !storeKindOf(settings.store))
    throw new UserError(`${placePrefix(place, ['store'])}"store" must be ${storeForms}.`)
  if (whose === 'project') checkProject(settings, place)
  return settings
}

function checkProject(settings: Settings, place: SettingPlace): void {
  if (settings.env)
    throw new UserError(
      `${placePrefix(place, ['env'])}keys and endpoints may not be in a project's file. Use the environment or your own file.`,
    )
  if (settings.people)
    throw new UserError(
      `${placePrefix(place, ['people'])}people and their tokens may not be in a project's file. Name them in your own file.`,
    )
  if (settings.sandbox?.enabled === false)
    throw new UserError(
      `${placePrefix(place, ['sandbox', 'enabled'])}a project may not switch the sandbox off. Do it in your own file.`,
    )
  if (settings.sandbox?.write)
    throw new UserError(
      `${placePrefix(place, ['sandbox', 'write'])}a project may not name folders that commands write to. Name them in your own file.`,
    )
  if (settings.store !== undefined && storeKindOf(settings.store)?.place === 'elsewhere')
    throw new UserError(
      `${placePrefix(place, ['store'])}a project may not choose a database elsewhere. Set "store" in your own file.`,
    )
}
