import { useEffect, useState } from 'react'

const first = 3
const perTask = 2
/** Sections that a growing reply may gain before another render is needed for them. */
const ahead = 8

/** How many of `count` sections are drawn: a few at once, then some more in each task, so that none takes long. */
export function useGrowingCount(count: number): number {
  const [shown, show] = useState(first)
  useEffect(() => {
    if (shown >= count) return
    const timer = setTimeout(() => show(shown + perTask >= count ? count + ahead : shown + perTask))
    return () => clearTimeout(timer)
  }, [shown, count])
  return Math.min(shown, count)
}
