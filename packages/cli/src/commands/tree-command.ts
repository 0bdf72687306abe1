import type { CommandFunction } from '../command-table.ts'
import { findConversation } from '../store/find-conversation.ts'
import { withStore } from '../store/with-store.ts'
import { drawTree } from '../text/draw-tree.ts'
import { printStyled } from '../text/print.ts'
import { styled } from '../text/styled.ts'

export const treeCommand: CommandFunction = async ({ positionals: [id = ''] }) =>
  withStore(async store => {
    const { id: conversation, head } = await findConversation(store, id)
    const nodes = (await store.nodes(conversation)).filter(({ hidden }) => !hidden)
    const lines = drawTree(
      nodes.map(({ id, parent, message }) => ({ id, parentId: parent, message })),
      head,
      Math.max(40, (process.stdout.columns ?? 120) - 2),
    )
    for (const { text, onPath, isHead } of lines)
      printStyled(`${isHead ? '●' : onPath ? '│' : ' '} ${onPath ? text : styled('dim', text)}`)
    return 0
  })
