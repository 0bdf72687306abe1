import { useAppState } from '../state/app-state.ts'
import { newestLeaf, pathTo } from './message-tree.ts'
import { moveHead } from './move-head.ts'

/** Shows a message in the chat. A message of another branch takes the head along, to that branch's newest leaf. */
export async function revealMessage(messageId: string): Promise<void> {
  const { conversation } = useAppState.getState()
  if (!conversation) return
  const shown = pathTo(conversation.nodes, conversation.head).some(({ id }) => id === messageId)
  if (!shown) await moveHead(newestLeaf(conversation.nodes, messageId))
  useAppState.setState({ mainPanel: undefined, revealedMessage: messageId })
}
