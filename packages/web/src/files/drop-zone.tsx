import { type ReactNode, useEffect, useState } from 'react'
import { accessTo } from '../conversation/facts/access-to.ts'
import { attachFiles } from '../conversation/loading/upload-files.ts'
import { useAppState } from '../state/app-state.ts'
import { showNotice } from '../state/show-notice.ts'

const mayAttach = (): boolean => {
  const app = useAppState.getState()
  return accessTo(app, app.openId) !== 'read'
}
const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** Attaches files to the draft. Where a panel has the place of the message box, a notice says so. */
function attach(files: readonly File[]): void {
  attachFiles(files)
  const box = document.getElementById('composer')
  if (box) box.focus()
  else showNotice('Attached to your next message.', 'news')
}

/** Another field than the message box keeps what is pasted into it. */
const isOtherField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.id !== 'composer' && target.matches('input, textarea, [contenteditable="true"]')

/** Files may be dropped anywhere on the page, and pasted wherever no other field has the focus. */
export function DropZone(): ReactNode {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const enter = (event: DragEvent) => hasFiles(event) && mayAttach() && setOver(true)
    // A file that nothing takes would be opened in the place of the page.
    const over = (event: DragEvent) => hasFiles(event) && event.preventDefault()
    // Leaving the window has no element to go to; leaving an element of the page has.
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      if (mayAttach()) attach([...(event.dataTransfer?.files ?? [])])
    }
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (!files.length || isOtherField(event.target) || !mayAttach()) return
      event.preventDefault()
      attach(files)
    }
    const listeners = { dragenter: enter, dragover: over, dragleave: leave, drop, paste }
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener)
    }
  }, [])
  return isOver ? (
    <p className="drop-zone" role="status">
      Drop files to attach them
    </p>
  ) : null
}
