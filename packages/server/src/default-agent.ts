import { type Agent, createAgent, offlineTools } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { defaultModel } from 'turnbuckle/models'
import type { ConversationStore } from 'turnbuckle/stores'
import { commandParts, workspacePreview, workspaceTools } from 'turnbuckle/tools'
import type { Permissions } from './desk.ts'
import { storedPermissions } from './permissions.ts'

export interface DefaultAgentOptions {
  /** The folder its tools work in. */
  readonly root: string
  readonly store: ConversationStore
  /** `provider/model`, or `offline`. */
  readonly model?: string
}

/** What runs when nobody says otherwise: the tools of a folder, and a person asked before anything changes. */
export async function defaultAgent(options: DefaultAgentOptions): Promise<{ agent: Agent; permissions: Permissions }> {
  const { root, store } = options
  const model = options.model ?? (await defaultModel(process.env))
  const permissions = storedPermissions(store)
  const agent = createAgent({
    name: 'turnbuckle',
    model,
    store,
    tools: workspaceTools({ root, shell: true, fetch: true }),
    use: [
      ...(model === 'offline' ? [offlineTools()] : []),
      approval({
        allow: ['read_file', 'list_files', 'search_files', 'calculate', 'wait', 'fail', 'ask'],
        store: permissions.storeFor,
        project: root,
        parts: commandParts,
        preview: workspacePreview({ root }),
      }),
    ],
  })
  return { agent, permissions }
}
