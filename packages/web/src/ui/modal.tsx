import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

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
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
  }, [])
  // While it is still on the page: only then does the browser give the focus back to what had it before.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} className="modal" aria-label={label} onClose={close}>
      {children}
    </dialog>
  )
}
