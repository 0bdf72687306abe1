import type { Run } from '../command-table.ts'
import { messageText } from '../message-text.ts'
import { print, styled } from '../terminal-text.ts'
import { titleOf } from './list.ts'
import { findConversation, withStore } from './with-store.ts'

export const run: Run = async ({ positionals: [id = ''] }) =>
  withStore(async store => {
    const row = await findConversation(store, id)
    print(styled('bold', `${row.id}  ${(await titleOf(store, row)).split('\n')[0]}`))
    let turn: string | undefined
    for (const node of row.head === undefined ? [] : await store.path(row.id, row.head)) {
      if (node.turn !== turn && node.turn) print(styled('dim', `\n── ${node.turn}`))
      turn = node.turn
      print(`\n${messageText(node.message)}`)
    }
    const open = await store.turns({ conversation: row.id, status: 'open' })
    for (const { id: unfinished } of open)
      print(`\n${unfinished} has not ended. turnbuckle chat --conversation ${row.id} goes on with it.`)
    return 0
  })
