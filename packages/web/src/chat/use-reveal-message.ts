import { useLayoutEffect } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { changePageLayout } from '../state/page-layout.ts'
import type { MessageWindow } from './use-message-window.ts'

/** Scrolls to the `revealedMessage` once it is on the path and drawn. */
export function useRevealMessage(path: readonly WireNode[], { hidden, showFrom }: MessageWindow): void {
  const target = useAppState(app => app.revealedMessage)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path, or more of it, may hold it
  useLayoutEffect(() => {
    if (target === undefined) return
    const element = document.getElementById(`m-${target}`)
    const index = path.findIndex(({ id }) => id === target)
    if (!element) return index < 0 ? undefined : showFrom(index)
    element.scrollIntoView({ block: 'center' })
    element.focus({ preventScroll: true })
    changePageLayout({ revealedMessage: undefined })
  }, [target, path, hidden])
}
