import { eraseConversation } from '@turnbuckle/server'
import type { ConversationRow, ConversationStore } from 'turnbuckle/stores'
import { eraseQueues } from '../chat/session/message-queue.ts'
import { canAskOnTerminal } from '../command-line/ask-trust-on-terminal.ts'
import { askYes } from '../command-line/ask-yes.ts'
import type { CommandFunction } from '../command-table.ts'
import { eraseTrace } from '../compose/keep-traces.ts'
import { eraseFileVersions } from '../compose/kept-turns.ts'
import { permissionFile } from '../compose/permissions/permission-file.ts'
import { UserError } from '../errors/user-error.ts'
import { homeFolder } from '../settings/home-folder.ts'
import { conversationTitle } from '../store/conversation-title.ts'
import { findConversation } from '../store/find-conversation.ts'
import { withStore } from '../store/with-store.ts'
import { oneLine } from '../text/one-line.ts'
import { printLine } from '../text/print.ts'

/** Asks first: nothing of the conversation is left afterwards. Without a terminal it needs `--yes`. */
export const deleteCommand: CommandFunction = async ({ positionals: [id = ''], values }) =>
  withStore(async store => {
    const row = await findConversation(store, id)
    const { id: conversation } = row
    if (!values.yes && !(await isConfirmed(store, row))) {
      printLine('Nothing was deleted.')
      return 1
    }
    for (const turn of await store.turns({ conversation })) await eraseTrace(store, turn.id)
    await eraseFileVersions(store, conversation)
    await eraseQueues(store, conversation)
    await eraseConversation(store, conversation)
    // Permissions that were granted for this conversation alone go with it.
    const permissions = permissionFile(homeFolder())
    for (const grant of await permissions.list())
      if (grant.scope === 'conversation' && grant.conversationId === conversation) await permissions.revoke(grant.id)
    printLine(`Deleted ${conversation}.`)
    return 0
  })

async function isConfirmed(store: ConversationStore, row: ConversationRow): Promise<boolean> {
  if (!canAskOnTerminal()) throw new UserError('Nobody is here to ask whether to delete it: add --yes.')
  const title = oneLine(await conversationTitle(store, row), 50)
  return askYes(`Delete ${row.id} (${title}) for good?`)
}
