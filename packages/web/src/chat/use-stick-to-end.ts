import { type RefObject, useLayoutEffect, useRef } from 'react'

const near = 80

/**
 * Keeps the end in view while it is in view, whatever grows or shrinks: words, a picture that has come, the window, the
 * keyboard of a phone. Who scrolls up to read is left in peace.
 */
export function useStickToEnd(change: unknown): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  useLayoutEffect(() => {
    const box = element.current
    if (!box) return
    let height = box.clientHeight
    const onScroll = () => {
      // A box that has just shrunk was not scrolled by the person.
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
