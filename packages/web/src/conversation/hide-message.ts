import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { showNotice } from '../state/show-notice.ts'
import { childrenOf, type MessageTree } from './facts/message-tree.ts'
import { lookAt } from './look-at.ts'

/** Number of messages that hiding a message takes out of sight: itself and all below it. */
export function countBelow(nodes: MessageTree, id: string): number {
  const children = childrenOf(nodes)
  const ids = [id]
  for (const one of ids) ids.push(...(children.get(one) ?? []).map(child => child.id))
  return ids.length
}

/** Hides a message and all below it. The notice says how many, and takes it back. */
export async function hideMessage(messageId: string): Promise<void> {
  const { openId = '', conversation } = useAppState.getState()
  if (!conversation) return
  const { nodes, head } = conversation
  const count = countBelow(nodes, messageId)
  const hidden = await callServer(client => client.hideMessage(openId, messageId).then(() => true))
  if (!hidden) return
  const undo = async () => {
    await restoreMessage(openId, messageId)
    if (head !== null) await moveBack(openId, head)
  }
  const words = count === 1 ? 'One message is hidden.' : `${count} messages are hidden.`
  showNotice(words, 'news', { label: 'Undo', run: () => void undo(), restores: messageId })
}

/** Shows a hidden message again, with all below it. The notice that says it is hidden goes. */
export async function restoreMessage(conversationId: string, messageId: string): Promise<void> {
  await callServer(client => client.restoreMessage(conversationId, messageId))
  if (useAppState.getState().notice?.action?.restores === messageId) useAppState.setState({ notice: undefined })
}

/** Hiding has moved the head out of what it hid. The page may show another conversation by now. */
async function moveBack(conversationId: string, head: string): Promise<void> {
  await callServer(client => client.changeConversation(conversationId, { head }))
  if (useAppState.getState().openId === conversationId) lookAt(head)
}
