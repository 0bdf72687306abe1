import { eraseConversation } from '@turnbuckle/server'
import type { Run } from '../command-table.ts'
import { eraseTrace } from '../compose/keep-traces.ts'
import { permissionFile } from '../compose/permission-file.ts'
import { homeFolder } from '../settings/home.ts'
import { print } from '../terminal-text.ts'
import { findConversation, withStore } from './with-store.ts'

export const run: Run = async ({ positionals: [id = ''] }) =>
  withStore(async store => {
    const { id: conversation } = await findConversation(store, id)
    for (const turn of await store.turns({ conversation })) await eraseTrace(store, turn.id)
    await eraseConversation(store, conversation)
    // What was allowed for this conversation is of no use to anyone.
    const permissions = permissionFile(homeFolder())
    for (const grant of await permissions.list())
      if (grant.scope === 'conversation' && grant.conversationId === conversation) await permissions.revoke(grant.id)
    print(`Deleted ${conversation}.`)
    return 0
  })
