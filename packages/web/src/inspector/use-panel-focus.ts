import { type RefObject, useLayoutEffect } from 'react'

/** Takes the focus where the inspector covers the page, and gives it to the inspector's button when it closes under the focus. */
export function usePanelFocus(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = panel.current
    if (element && getComputedStyle(element).position === 'fixed') element.focus()
    return () => {
      if (!element?.contains(document.activeElement)) return
      // The page behind it is reached by keys again once React is done.
      queueMicrotask(() => document.querySelector<HTMLElement>('.header-actions [aria-label^="Inspector"]')?.focus())
    }
  }, [panel])
}
