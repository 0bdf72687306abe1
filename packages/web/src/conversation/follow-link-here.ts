import type { MouseEvent } from 'react'
import { openConversation } from './open-conversation.ts'
import { revealMessage } from './reveal-message.ts'

/** Opens the conversation of a link in this page, at a message of it if one is named, unless the person asked for another tab or window. */
export function followLinkHere(event: MouseEvent, id: string, messageId?: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  void openConversation(id).then(() => {
    if (messageId !== undefined) revealMessage(messageId)
  })
}
