import type { MouseEvent } from 'react'
import { openConversation } from './open-conversation.ts'

/** Opens the conversation of a link in this page, unless the person asked for another tab or window. */
export function followLinkHere(event: MouseEvent, id: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  void openConversation(id)
}
