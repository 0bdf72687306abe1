import { readAudit } from '@turnbuckle/server'
import type { AuditEntry } from 'turnbuckle/client'
import type { CommandFunction } from '../command-table.ts'
import { UserError } from '../errors/user-error.ts'
import { homeFolder } from '../settings/home-folder.ts'
import { trustedItems } from '../settings/trust-file.ts'
import { withStore } from '../store/with-store.ts'
import { formatTime } from '../text/format-time.ts'
import { oneLine } from '../text/one-line.ts'
import { printJson, printLine } from '../text/print.ts'

/** Acts of people on the server of this project, with what was trusted on this machine. */
export const auditCommand: CommandFunction = async ({ values }) => {
  const limit = Number(values.limit ?? 50)
  if (!Number.isInteger(limit) || limit < 1) throw new UserError('--limit takes a whole number.')
  return withStore(async (store, root) => {
    const entries = [...(await readAudit(store, { limit })), ...trustedItems(homeFolder(), root)]
    entries.sort((a, b) => b.at - a.at)
    for (const entry of entries.slice(0, limit)) values.json ? printJson(entry) : printLine(lineOf(entry))
    if (!entries.length && !values.json)
      printLine('Nobody has answered, granted, switched or shared anything on a server yet.')
    return 0
  })
}

/** `2026-11-17 03:08  bob  granted  shell  allow always shell(git push *)  conv_3f2a91c0` */
function lineOf({ at, by, act, what, decision, scope, pattern, conversationId }: AuditEntry): string {
  const when = formatTime(at)
  const how = [decision, scope, pattern].filter(Boolean).join(' ')
  return [when, by, act, what, how, conversationId ?? '']
    .map(part => oneLine(part, 200))
    .filter(Boolean)
    .join('  ')
}
