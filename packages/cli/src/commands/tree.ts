import type { Run } from '../command-table.ts'
import { drawTree } from '../draw-tree.ts'
import { print, styled } from '../terminal-text.ts'
import { findConversation, withStore } from './with-store.ts'

export const run: Run = async ({ positionals: [id = ''] }) =>
  withStore(async store => {
    const { id: conversation, head } = await findConversation(store, id)
    const nodes = (await store.nodes(conversation)).filter(({ hidden }) => !hidden)
    const lines = drawTree(
      nodes.map(({ id, parent, message }) => ({ id, parentId: parent, message })),
      head,
      Math.max(40, (process.stdout.columns ?? 120) - 2),
    )
    for (const { text, onPath, isHead } of lines)
      print(`${isHead ? '●' : onPath ? '│' : ' '} ${onPath ? text : styled('dim', text)}`)
    return 0
  })
