import { type MouseEvent, useState } from 'react'
import { flushSync } from 'react-dom'

const page = 300

export interface MessageWindow {
  /** How many messages at the beginning of the path are not drawn. */
  readonly hidden: number
  /** Draws earlier ones too, and keeps what is read where it is. */
  showEarlier(event: MouseEvent): void
  /** Draws the path from there on, at least. */
  showFrom(index: number): void
}

/** Of a long path only its end is drawn at first. What is drawn stays so while more is added. */
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
