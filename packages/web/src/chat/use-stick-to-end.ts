import { type RefObject, useLayoutEffect, useRef } from 'react'

const near = 80

/**
 * Keeps the end of the messages in view as long as it is in view, whatever grows or shrinks: streamed text, a loaded
 * picture, the window, a phone's keyboard. A person who has scrolled up is not moved.
 */
export function useStickToEnd(change: unknown): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  useLayoutEffect(() => {
    const box = element.current
    if (!box) return
    let height = box.clientHeight
    const onScroll = () => {
      // A scroll event that comes with another height is the browser's own, not the person's.
      if (box.clientHeight === height) sticks.current = box.scrollHeight - box.scrollTop - height < near
    }
    const sizes = new ResizeObserver(() => {
      height = box.clientHeight
      if (sticks.current) box.scrollTop = box.scrollHeight
    })
    sizes.observe(box)
    for (const child of box.children) sizes.observe(child)
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', onScroll)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is what makes the content grow, and the end is there in the same frame
  useLayoutEffect(() => {
    const box = element.current
    if (box && sticks.current) box.scrollTop = box.scrollHeight
  }, [change])
  return element
}
