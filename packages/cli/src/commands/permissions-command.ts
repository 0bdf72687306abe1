import type { CommandFunction } from '../command-table.ts'
import { permissionFile } from '../compose/permissions/permission-file.ts'
import { UserError } from '../errors/user-error.ts'
import { homeFolder } from '../settings/home-folder.ts'
import { formatTime } from '../text/format-time.ts'
import { oneLine } from '../text/one-line.ts'
import { printLine } from '../text/print.ts'

export const permissionsCommand: CommandFunction = async ({ positionals: [word = 'list', id] }) => {
  const store = permissionFile(homeFolder())
  if (word === 'list') {
    const grants = await store.list()
    for (const { id, decision, pattern, scope, project, conversationId, expiresAt, usesLeft } of grants) {
      const limits = [
        expiresAt === undefined ? '' : `until ${formatTime(expiresAt)}`,
        usesLeft === undefined ? '' : `${usesLeft} uses left`,
      ].filter(Boolean)
      printLine(
        `${id}  ${decision} ${oneLine(pattern)}  ${scope} ${oneLine(project ?? conversationId ?? '')} ${limits.join(', ')}`.trimEnd(),
      )
    }
    if (!grants.length) printLine('Nothing is allowed or forbidden for longer.')
    return 0
  }
  if (id === undefined) throw new UserError('Which one? turnbuckle permissions revoke ID; permissions list shows them.')
  if (!(await store.revoke(id)))
    throw new UserError(`There is no permission "${id}". turnbuckle permissions list shows them.`)
  printLine(`Revoked ${id}.`)
  return 0
}
