import { useEffect } from 'react'
import { useAppState } from './state/app-state.ts'
import { changePageLayout } from './state/page-layout.ts'

/**
 * The conversation list as a drawer: it takes the focus when it opens, and Escape closes it and gives the focus back. Where the page gets
 * wide enough for the list to stand beside the conversation, no drawer stays open behind it.
 */
export function useRailDrawer(isDrawer: boolean): void {
  const railOpen = useAppState(app => app.railOpen)
  useEffect(() => {
    if (!railOpen) return
    if (!isDrawer) return changePageLayout({ railOpen: false })
    const before = document.activeElement
    document.querySelector<HTMLElement>('.rail .new')?.focus()
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      // A menu or a dialog over the drawer takes the key for itself.
      if (key !== 'Escape' || defaultPrevented || document.querySelector('dialog[open]')) return
      changePageLayout({ railOpen: false })
      if (before instanceof HTMLElement) before.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      // What was chosen in the list is on the stage, where the reader goes on; the list is out of sight.
      if (document.activeElement?.closest('.rail')) document.getElementById('stage')?.focus({ preventScroll: true })
    }
  }, [isDrawer, railOpen])
}
