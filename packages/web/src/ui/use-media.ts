import { useSyncExternalStore } from 'react'

/** True while a media query matches: `(max-width: 760px)`. */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    changed => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
