import { type FormEvent, type ReactNode, useState } from 'react'
import { callServer } from '../state/call-server.ts'
import { Modal } from '../ui/modal.tsx'

interface RenameProps {
  readonly id: string
  readonly title: string
  readonly done: () => void
}

export default function RenameDialog({ id, title, done }: RenameProps): ReactNode {
  const [text, setText] = useState(title)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) void callServer(client => client.changeConversation(id, { title: text.trim() })).then(done)
  }
  return (
    <Modal label="Rename" close={done}>
      <form onSubmit={submit}>
        <label htmlFor="new-title">Title</label>
        <input
          id="new-title"
          maxLength={200}
          value={text}
          onChange={event => setText(event.target.value)}
          // What is typed takes the old title's place.
          onFocus={event => event.target.select()}
        />
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
