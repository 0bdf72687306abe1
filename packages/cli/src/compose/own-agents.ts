import { createAgent, type Middleware, type Model, type SchemaCheck, type Tool } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import { agentTool } from 'turnbuckle/tools'
import { UserError } from '../errors/user-error.ts'
import { blameSetting } from '../settings/blame-setting.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import type { AgentEntry } from '../settings/settings.ts'
import { checkNamedModel } from './model/choose-model.ts'
import { switchableModel } from './model/switchable-model.ts'

export interface OwnAgentsParts {
  /** The model of those that name none. */
  readonly model: Model
  /** The tools they choose from. */
  readonly tools: readonly Tool[]
  /** Their middleware. Guards of the caller hold in them anyway. */
  readonly use: readonly Middleware[]
  /** Keeps their conversations. */
  readonly store: ConversationStore
  readonly schemaCheck: SchemaCheck
}

type Loaded = Pick<LoadedSettings, 'user' | 'project' | 'where'>

/** A tool for each sub-agent of the settings: `agent_reviewer` for `reviewer`. One of the project stands over the user's of that name. */
export function ownAgents(loaded: Loaded, parts: OwnAgentsParts, missing: string[]): Promise<readonly Tool[]> {
  const { user, project } = loaded
  const entries = Object.entries({ ...user.agents, ...project.agents })
  return Promise.all(
    entries.map(([name, entry]) => {
      const whose = Object.hasOwn(project.agents ?? {}, name) ? 'project' : 'user'
      const at = (...path: string[]) => loaded.where(whose, 'agents', name, ...path)
      return toolOf(name, entry, { ...parts, at, missing })
    }),
  )
}

interface ToolParts extends OwnAgentsParts {
  readonly at: (...path: string[]) => string
  readonly missing: string[]
}

async function toolOf(name: string, entry: AgentEntry, parts: ToolParts): Promise<Tool> {
  const { use, store, schemaCheck, at, missing } = parts
  const { description, instructions } = entry
  const model = entry.model === undefined ? parts.model : await ownModel(entry.model, at('model'), missing)
  const tools = chosenTools(entry, parts)
  return blameSetting(at(), () => {
    const agent = createAgent({ name, model, instructions, tools, use: [...use], store, schemaCheck })
    return agentTool(agent, { name: `agent_${name}`, ...(description === undefined ? {} : { description }) })
  })
}

const ownModel = async (named: string, place: string, missing: string[]): Promise<Model> =>
  switchableModel(await checkNamedModel(named, place, missing))

/** All of the agent's own tools, or those that the entry names. */
function chosenTools({ tools: named }: AgentEntry, { tools, at }: ToolParts): readonly Tool[] {
  if (!named) return tools
  for (const [i, wanted] of named.entries())
    if (!tools.some(({ name }) => name === wanted))
      throw new UserError(`${at('tools', String(i))}there is no tool "${wanted}" here. There are: ${namesOf(tools)}.`)
  return tools.filter(({ name }) => named.includes(name))
}

const namesOf = (tools: readonly Tool[]): string => tools.map(({ name }) => name).join(', ') || 'none'
