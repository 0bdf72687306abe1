import { useAppState } from '../state/app-state.ts'
import { newestLeaf, pathTo } from './facts/message-tree.ts'
import { lookAt } from './look-at.ts'

/** Shows a message in the chat. For a message of another branch this page goes to that branch's newest leaf. */
export function revealMessage(messageId: string): void {
  const { conversation } = useAppState.getState()
  if (!conversation) return
  const shown = pathTo(conversation.nodes, conversation.head).some(({ id }) => id === messageId)
  if (!shown) lookAt(newestLeaf(conversation.nodes, messageId))
  useAppState.setState({ mainPanel: undefined, revealedMessage: messageId })
}
