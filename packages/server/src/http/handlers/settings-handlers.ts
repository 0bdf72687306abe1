import { type Agent, TurnbuckleError } from 'turnbuckle'
import type { SettingsChange, WireMcpServer, WireTool } from 'turnbuckle/client'
import type { AuditList } from '../../access/audit-list.ts'
import { hasRight } from '../../access/rights.ts'
import type { RoleOf } from '../../access/roles.ts'
import { listModels, type Models } from '../../settings/models.ts'
import type { ServerSettings } from '../../settings/server-settings.ts'
import type { Handlers } from '../contract.ts'

interface SettingsHandlersOptions {
  readonly agent: Agent
  readonly models: Models
  readonly settings: ServerSettings | undefined
  readonly roleOf: RoleOf
  readonly audit: AuditList
}

type SettingsCalls =
  | 'listModels'
  | 'listTools'
  | 'listMcpServers'
  | 'readSettings'
  | 'changeSettings'
  | 'testProvider'
  | 'listUntrusted'
  | 'trust'

/** The calls about models, tools and settings. Settings are the program's; a server that was given none has only its agent's. */
export function createSettingsHandlers({
  agent,
  models,
  settings,
  roleOf,
  audit,
}: SettingsHandlersOptions): Pick<Handlers, SettingsCalls> {
  const demandSettings = (): ServerSettings => {
    if (settings) return settings
    throw new TurnbuckleError('settings.missing', 'This server was started without settings of its own.')
  }
  return {
    listModels: () => listModels(agent, models),
    listTools: () => ({ tools: agent.tools.map(tool => wireTool(tool, settings)) }),
    listMcpServers({ person }) {
      const all = settings?.mcpServers() ?? []
      return { servers: hasRight(roleOf, person, 'changeSettings') ? all : all.map(forMembers) }
    },
    readSettings: () => demandSettings().read(),
    async changeSettings({ person, body }) {
      await demandSettings().change(body)
      const names = changedNames(body)
      if (names.length) await audit.add({ by: person, act: 'configured', what: names.join(', ') })
      return demandSettings().read()
    },
    testProvider: ({ params: { name = '' }, body }) => demandSettings().testProvider(name, body),
    listUntrusted: async () => ({ items: (await settings?.untrusted()) ?? [] }),
    async trust({ person, body }) {
      await demandSettings().trust(body, person)
    },
  }
}

/** The names of the settings that a change is about. Names alone: the values may be keys. */
function changedNames({
  params = {},
  tools = {},
  env = {},
  permissions = {},
  mcpServers = {},
  ...named
}: SettingsChange): string[] {
  const inside = { params, tools, permissions, mcpServers }
  const nested = Object.entries(inside).flatMap(([name, changed]) => Object.keys(changed).map(key => `${name}.${key}`))
  return [...Object.keys(named), ...nested, ...Object.keys(env)]
}

const wireTool = (
  { name, description, schema }: Agent['tools'][number],
  settings: ServerSettings | undefined,
): WireTool => ({ name, description, schema, ...(settings ? { permission: settings.permissionOf(name) } : {}) })

/** An address or a command may hold a key, and so may the words of one that failed. */
const forMembers = ({ does: _, error: _words, ...server }: WireMcpServer): WireMcpServer => server
