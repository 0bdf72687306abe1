import { eraseConversation } from '@turnbuckle/server'
import type { CommandFunction } from '../command-table.ts'
import { eraseTrace } from '../compose/keep-traces.ts'
import { permissionFile } from '../compose/permission-file.ts'
import { homeFolder } from '../settings/home-folder.ts'
import { findConversation } from '../store/find-conversation.ts'
import { withStore } from '../store/with-store.ts'
import { printLine } from '../text/print.ts'

export const deleteCommand: CommandFunction = async ({ positionals: [id = ''] }) =>
  withStore(async store => {
    const { id: conversation } = await findConversation(store, id)
    for (const turn of await store.turns({ conversation })) await eraseTrace(store, turn.id)
    await eraseConversation(store, conversation)
    // Permissions that were granted for this conversation alone go with it.
    const permissions = permissionFile(homeFolder())
    for (const grant of await permissions.list())
      if (grant.scope === 'conversation' && grant.conversationId === conversation) await permissions.revoke(grant.id)
    printLine(`Deleted ${conversation}.`)
    return 0
  })
