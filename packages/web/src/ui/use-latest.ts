import { useCallback, useRef } from 'react'

/**
 * One function for all renders, which calls the latest `work`: message nodes are not drawn again for a new closure.
 */
export function useLatest<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(work)
  latest.current = work
  return useCallback((...args) => latest.current(...args), [])
}
