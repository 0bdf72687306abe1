import { createAgent, offline } from 'turnbuckle'
import type { Run } from '../command-table.ts'
import { messageMarkdown } from '../message-text.ts'
import { Mistake } from '../mistake.ts'
import { hint } from '../nearest.ts'
import { print } from '../terminal-text.ts'
import { titleOf } from './list.ts'
import { findConversation, withStore } from './with-store.ts'

export const run: Run = async ({ positionals: [id = ''], values }) => {
  const format = String(values.format ?? 'json')
  if (format !== 'json' && format !== 'md')
    throw new Mistake(`There is no format "${format}". ${hint(format, ['json', 'md'])}`)
  return withStore(async store => {
    const row = await findConversation(store, id)
    if (format === 'json') {
      const conversation = await createAgent({ model: offline(), store }).open(row.id)
      print(JSON.stringify(conversation.export(), undefined, 2))
      return 0
    }
    const path = row.head === undefined ? [] : await store.path(row.id, row.head)
    print(`# ${(await titleOf(store, row)).split('\n')[0]}`)
    for (const { message } of path) print(`\n${messageMarkdown(message)}`)
    return 0
  })
}
