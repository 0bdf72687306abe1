import { type FormEvent, type ReactNode, useState } from 'react'
import { attempt } from '../state/app-state.ts'
import { Modal } from '../ui/modal.tsx'

interface RenameProps {
  readonly id: string
  readonly title: string
  readonly done: () => void
}

export function Rename({ id, title, done }: RenameProps): ReactNode {
  const [text, setText] = useState(title)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) void attempt(client => client.changeConversation(id, { title: text.trim() })).then(done)
  }
  return (
    <Modal label="Rename" close={done}>
      <form onSubmit={submit}>
        <label htmlFor="new-title">Title</label>
        <input id="new-title" maxLength={200} value={text} onChange={event => setText(event.target.value)} />
        <div className="modal-actions">
          <button type="button" className="button" onClick={done}>
            Cancel
          </button>
          <button type="submit" className="button primary">
            Rename
          </button>
        </div>
      </form>
    </Modal>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly confirm: () => void
  readonly cancel: () => void
}

export function ConfirmDelete({ title, confirm, cancel }: ConfirmProps): ReactNode {
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
