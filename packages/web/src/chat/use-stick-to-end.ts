import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

const near = 80

interface StickToEnd {
  readonly element: RefObject<HTMLDivElement | null>
  /** The person has scrolled up, away from the latest message. */
  readonly isAway: boolean
  readonly jumpToEnd: () => void
}

/**
 * Keeps the end of the messages in view as long as it is in view, whatever grows or shrinks: streamed text, a loaded
 * picture, the window, a phone's keyboard. A person who has scrolled up is not moved, until they send something themselves.
 */
export function useStickToEnd(change: unknown, isSending: boolean): StickToEnd {
  const element = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const [isAway, setAway] = useState(false)
  useLayoutEffect(() => {
    if (!element.current) return
    return watchEnd(element.current, sticks, setAway)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is what makes the content grow, and the end is there in the same frame
  useLayoutEffect(() => {
    const box = element.current
    if (box && sticks.current) box.scrollTop = box.scrollHeight
  }, [change])
  const jumpToEnd = useCallback(() => {
    const box = element.current
    if (!box) return
    sticks.current = true
    setAway(false)
    box.scrollTop = box.scrollHeight
  }, [])
  useLayoutEffect(() => {
    if (isSending) jumpToEnd()
  }, [isSending, jumpToEnd])
  return { element, isAway, jumpToEnd }
}

/** Follows the size and the scrolling of a box: whether its end is in view, and keeps it there while it `sticks`. Returns how to stop. */
function watchEnd(box: HTMLElement, sticks: RefObject<boolean>, setAway: (isAway: boolean) => void): () => void {
  let height = box.clientHeight
  let top = box.scrollTop
  const onScroll = () => {
    const up = box.scrollTop < top
    top = box.scrollTop
    // A scroll event that comes with another height is the browser's own, not the person's.
    if (box.clientHeight !== height) return
    // Only a way up leads away: after our own way down, more of a message may have been drawn below already.
    if (isAtEnd() || up) settle(isAtEnd())
  }
  const isAtEnd = () => box.scrollHeight - box.scrollTop - box.clientHeight < near
  const settle = (atEnd: boolean) => {
    sticks.current = atEnd
    setAway(!atEnd)
  }
  const sizes = new ResizeObserver(() => {
    height = box.clientHeight
    if (sticks.current) box.scrollTop = box.scrollHeight
    // A larger window may show the end to somebody who had scrolled up.
    else if (isAtEnd()) settle(true)
  })
  sizes.observe(box)
  for (const child of box.children) sizes.observe(child)
  box.addEventListener('scroll', onScroll, { passive: true })
  return () => {
    sizes.disconnect()
    box.removeEventListener('scroll', onScroll)
  }
}
