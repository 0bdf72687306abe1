import { exportConversation } from 'turnbuckle/stores'
import type { CommandFunction } from '../command-table.ts'
import { suggestNearest } from '../errors/suggest-nearest.ts'
import { UserError } from '../errors/user-error.ts'
import { findConversation } from '../store/find-conversation.ts'
import { withStore } from '../store/with-store.ts'
import { printFile } from '../text/print.ts'

export const exportCommand: CommandFunction = async ({ positionals: [id = ''], values }) => {
  const format = String(values.format ?? 'json')
  if (format !== 'json' && format !== 'md')
    throw new UserError(`There is no format "${format}". ${suggestNearest(format, ['json', 'md'])}`)
  return withStore(async store => {
    printFile((await exportConversation(store, (await findConversation(store, id)).id, format)).trimEnd())
    return 0
  })
}
