import { useLayoutEffect } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { show, useApp } from '../state/app-state.ts'
import type { Shown } from './use-shown.ts'

/** Brings the message that is looked for into view once it is on the path and drawn. */
export function useReveal(path: readonly WireNode[], { hidden, showFrom }: Shown): void {
  const target = useApp(app => app.target)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path, or more of it, may hold it
  useLayoutEffect(() => {
    if (target === undefined) return
    const element = document.getElementById(`m-${target}`)
    const index = path.findIndex(({ id }) => id === target)
    if (!element) return index < 0 ? undefined : showFrom(index)
    element.scrollIntoView({ block: 'center' })
    element.focus({ preventScroll: true })
    show({ target: undefined })
  }, [target, path, hidden])
}
