import { type Agent, createAgent, offline, offlineTools } from 'turnbuckle'
import { approval, memoryPermissions } from 'turnbuckle/middleware'
import { commandParts, workspacePreview, workspaceTools } from 'turnbuckle/tools'
import type { Permissions } from './desk.ts'

/** What runs when nobody says otherwise: the tools of a folder, a person asked before anything changes. */
export function defaultAgent(root: string): { readonly agent: Agent; readonly permissions: Permissions } {
  const grants = memoryPermissions()
  const agent = createAgent({
    name: 'turnbuckle',
    model: offline(),
    tools: workspaceTools({ root, shell: true, fetch: true }),
    use: [
      offlineTools(),
      approval({
        allow: ['read_file', 'list_files', 'search_files', 'calculate', 'wait', 'fail', 'ask'],
        store: grants,
        project: root,
        parts: commandParts,
        preview: workspacePreview({ root }),
      }),
    ],
  })
  const permissions: Permissions = {
    list: async () => (await grants.list()).map(grant => ({ ...grant })),
    revoke: (_person, id) => grants.revoke(id),
  }
  return { agent, permissions }
}
