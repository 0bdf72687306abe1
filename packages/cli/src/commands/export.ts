import { exportConversation } from 'turnbuckle/stores'
import type { Run } from '../command-table.ts'
import { Mistake } from '../mistake.ts'
import { hint } from '../nearest.ts'
import { print } from '../terminal-text.ts'
import { findConversation, withStore } from './with-store.ts'

export const run: Run = async ({ positionals: [id = ''], values }) => {
  const format = String(values.format ?? 'json')
  if (format !== 'json' && format !== 'md')
    throw new Mistake(`There is no format "${format}". ${hint(format, ['json', 'md'])}`)
  return withStore(async store => {
    print((await exportConversation(store, (await findConversation(store, id)).id, format)).trimEnd())
    return 0
  })
}
