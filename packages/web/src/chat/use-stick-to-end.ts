import { type RefObject, useLayoutEffect, useRef } from 'react'

const near = 80

/** Keeps the end in view while it is in view: who scrolls up to read is left in peace. */
export function useStickToEnd(change: unknown): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  useLayoutEffect(() => {
    const box = element.current
    if (!box) return
    const onScroll = () => {
      sticks.current = box.scrollHeight - box.scrollTop - box.clientHeight < near
    }
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => box.removeEventListener('scroll', onScroll)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is what makes the content grow
  useLayoutEffect(() => {
    const box = element.current
    if (box && sticks.current) box.scrollTop = box.scrollHeight
  }, [change])
  return element
}
