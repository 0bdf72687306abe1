import type { ReactNode } from 'react'
import { Modal } from '../ui/modal.tsx'

interface ConfirmProps {
  readonly title: string
  readonly confirm: () => void
  readonly cancel: () => void
}

export default function DeleteDialog({ title, confirm, cancel }: ConfirmProps): ReactNode {
  return (
    <Modal label="Delete the conversation?" close={cancel}>
      <p>
        Delete <strong>{title || 'this conversation'}</strong> with all its branches? What runs in it is stopped.
      </p>
      <div className="modal-actions">
        <button type="button" className="button" onClick={cancel}>
          Keep it
        </button>
        <button type="button" className="button danger" onClick={confirm}>
          Delete
        </button>
      </div>
    </Modal>
  )
}
