import type { CommandFunction } from '../command-table.ts'
import { conversationTitle } from '../store/conversation-title.ts'
import { findConversation } from '../store/find-conversation.ts'
import { withStore } from '../store/with-store.ts'
import { messageText } from '../text/message-text.ts'
import { oneLine } from '../text/one-line.ts'
import { printLine, printStyled } from '../text/print.ts'
import { styled } from '../text/styled.ts'

export const showCommand: CommandFunction = async ({ positionals: [id = ''] }) =>
  withStore(async store => {
    const row = await findConversation(store, id)
    printStyled(styled('bold', `${oneLine(row.id)}  ${oneLine(await conversationTitle(store, row), 200)}`))
    let turn: string | undefined
    for (const node of row.head === undefined ? [] : await store.path(row.id, row.head)) {
      if (node.turn !== turn && node.turn) printStyled(styled('dim', `\n── ${oneLine(node.turn)}`))
      turn = node.turn
      printLine(`\n${messageText(node.message)}`)
    }
    const open = await store.turns({ conversation: row.id, status: 'open' })
    for (const { id: unfinished } of open)
      printLine(`\n${unfinished} has not ended. turnbuckle chat --conversation ${row.id} goes on with it.`)
    return 0
  })
