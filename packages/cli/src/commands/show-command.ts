import type { CommandFunction } from '../command-table.ts'
import { conversationTitle } from '../store/conversation-title.ts'
import { findConversation } from '../store/find-conversation.ts'
import { withStore } from '../store/with-store.ts'
import { messageText } from '../text/message-text.ts'
import { printLine } from '../text/print.ts'
import { styled } from '../text/styled.ts'

export const showCommand: CommandFunction = async ({ positionals: [id = ''] }) =>
  withStore(async store => {
    const row = await findConversation(store, id)
    printLine(styled('bold', `${row.id}  ${(await conversationTitle(store, row)).split('\n')[0]}`))
    let turn: string | undefined
    for (const node of row.head === undefined ? [] : await store.path(row.id, row.head)) {
      if (node.turn !== turn && node.turn) printLine(styled('dim', `\n── ${node.turn}`))
      turn = node.turn
      printLine(`\n${messageText(node.message)}`)
    }
    const open = await store.turns({ conversation: row.id, status: 'open' })
    for (const { id: unfinished } of open)
      printLine(`\n${unfinished} has not ended. turnbuckle chat --conversation ${row.id} goes on with it.`)
    return 0
  })
