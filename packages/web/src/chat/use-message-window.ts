import { type MouseEvent, useState } from 'react'
import { flushSync } from 'react-dom'

const page = 300

export interface MessageWindow {
  /** Number of messages at the path's beginning that are not drawn. */
  readonly hidden: number
  /** Draws a page of earlier messages. The messages in view keep their place on the screen. */
  showEarlier(event: MouseEvent): void
  /** Draws the path at least from the message at `index` on. */
  showFrom(index: number): void
}

/** Draws only the end of a long path at first. A message that is drawn stays drawn while the path grows. */
export function useMessageWindow(length: number): MessageWindow {
  const [kept, keep] = useState(() => Math.max(0, length - page))
  const hidden = kept < length ? kept : Math.max(0, length - page)
  return {
    hidden,
    showEarlier({ currentTarget }) {
      const box = currentTarget.closest('.scroll')
      const below = box ? box.scrollHeight - box.scrollTop : 0
      flushSync(() => keep(Math.max(0, hidden - page)))
      if (box) box.scrollTop = box.scrollHeight - below
    },
    showFrom(index) {
      if (index < hidden) keep(index)
    },
  }
}
