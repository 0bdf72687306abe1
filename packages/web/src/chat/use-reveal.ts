import { useLayoutEffect } from 'react'
import { show, useApp } from '../state/store.ts'

/** Brings the message that is looked for into view once it is on the path. `path`: what is drawn. */
export function useReveal(path: unknown): void {
  const target = useApp(app => app.target)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path may hold it
  useLayoutEffect(() => {
    const element = target === undefined ? null : document.getElementById(`m-${target}`)
    if (!element) return
    element.scrollIntoView({ block: 'center' })
    element.focus({ preventScroll: true })
    show({ target: undefined })
  }, [target, path])
}
