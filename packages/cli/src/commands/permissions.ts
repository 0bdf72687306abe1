import type { Run } from '../command-table.ts'
import { permissionFile } from '../compose/permission-file.ts'
import { Mistake } from '../mistake.ts'
import { homeFolder } from '../settings/home.ts'
import { oneLine, print } from '../terminal-text.ts'

export const run: Run = async ({ positionals: [word = 'list', id] }) => {
  const store = permissionFile(homeFolder())
  if (word === 'list') {
    const grants = await store.list()
    for (const { id, decision, pattern, scope, project, conversationId, expiresAt, usesLeft } of grants) {
      const limits = [
        expiresAt === undefined ? '' : `until ${new Date(expiresAt).toISOString().slice(0, 16)}`,
        usesLeft === undefined ? '' : `${usesLeft} uses left`,
      ].filter(Boolean)
      print(
        `${id}  ${decision} ${oneLine(pattern)}  ${scope} ${project ?? conversationId ?? ''} ${limits.join(', ')}`.trimEnd(),
      )
    }
    if (!grants.length) print('Nothing is allowed or forbidden for longer.')
    return 0
  }
  if (id === undefined) throw new Mistake('Which one? turnbuckle permissions revoke ID; permissions list shows them.')
  if (!(await store.revoke(id)))
    throw new Mistake(`There is no permission "${id}". turnbuckle permissions list shows them.`)
  print(`Revoked ${id}.`)
  return 0
}
