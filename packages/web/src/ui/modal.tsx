import { type ReactNode, useEffect, useRef } from 'react'

/** A dialog of the platform: focus stays inside, ESC closes it. */
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
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} className="modal" aria-label={label} onClose={close}>
      {children}
    </dialog>
  )
}
