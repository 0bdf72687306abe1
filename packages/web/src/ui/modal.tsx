import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { handFocusOn } from './hand-focus-on.ts'

/** A dialog of the platform: focus stays inside and goes back to where it was, ESC closes it. */
export function Modal({
  label,
  close,
  children,
}: {
  readonly label: string
  readonly close: () => void
  readonly children: ReactNode
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before it is on the page: a menu closes in the same moment.
  const [opener] = useState(() => openerOf(globalThis.document?.activeElement))
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
  }, [])
  // While it is still on the page: only then does the browser give the focus back to what had it before.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => {
      element?.close()
      const { activeElement, body } = document
      if (activeElement === body || element?.contains(activeElement)) opener?.focus()
      handFocusOn()
    }
  }, [opener])
  return (
    <dialog ref={dialog} className="modal" aria-label={label} onClose={close}>
      {children}
    </dialog>
  )
}

/** What had the focus; of a menu's item its button, since the menu is gone when the dialog closes. */
function openerOf(control: Element | null | undefined): HTMLElement | undefined {
  if (!control) return undefined
  const menu = control.closest('[role="menu"]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : control
  return opener instanceof HTMLElement ? opener : undefined
}
