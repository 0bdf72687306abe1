import type { ConversationState } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { showNotice } from '../state/show-notice.ts'
import { newestLeaf } from './facts/message-tree.ts'
import { rememberLook } from './remembered-looks.ts'

const { getState: get, setState: set } = useAppState

/** The state of a conversation, looked at from one of its messages. */
export const lookedAtFrom = (conversation: ConversationState, head: string | null): ConversationState => ({
  ...conversation,
  head,
  headTurn: [...conversation.tips].find(([, tip]) => tip !== null && tip === head)?.[0],
})

/** Goes to a message of the open conversation, in this page alone: the head and other pages stay where they are. */
export function lookAt(messageId: string): void {
  const { conversation } = get()
  if (!conversation) return
  set({ conversation: lookedAtFrom(conversation, messageId) })
  keepLook()
}

/** Remembers where this page looks, where that is not the head. */
export function keepLook(): void {
  const { conversation, openId, serverHead } = get()
  if (conversation && openId === conversation.id)
    rememberLook(conversation.id, conversation.head === serverHead.id ? null : conversation.head)
}

/** Says that another page began a turn elsewhere, with a way there. */
export function announceElsewhere(turnId: string): void {
  const go = () => {
    const { conversation } = get()
    const id = conversation && endOfTurn(conversation, turnId)
    if (id && conversation.nodes.has(id)) lookAt(id)
  }
  showNotice('Another page went on in another branch.', 'news', { label: 'Go there', run: go })
}

/** The end of the branch of a turn, as far as it has come by now. */
function endOfTurn({ nodes, tips, turns }: ConversationState, turnId: string): string | null | undefined {
  if (tips.has(turnId)) return tips.get(turnId)
  const last = [...nodes.values()].findLast(node => node.turnId === turnId)
  return last ? newestLeaf(nodes, last.id) : turns.get(turnId)?.parentId
}
