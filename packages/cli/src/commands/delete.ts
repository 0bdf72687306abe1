import type { Run } from '../command-table.ts'
import { print } from '../terminal-text.ts'
import { findConversation, withStore } from './with-store.ts'

export const run: Run = async ({ positionals: [id = ''] }) =>
  withStore(async store => {
    const { id: conversation } = await findConversation(store, id)
    await store.delete(conversation)
    print(`Deleted ${conversation}.`)
    return 0
  })
