import { type ReactNode, useRef } from 'react'
import { Modal } from '../ui/modal.tsx'

interface Props {
  readonly text: string
  readonly done: (text: string) => void
  readonly cancel: () => void
}

/** A folded paste, opened to be read and edited. The text area is not React's: a long text is not compared with each letter. */
export default function PasteDialog({ text, done, cancel }: Props): ReactNode {
  const box = useRef<HTMLTextAreaElement>(null)
  return (
    <Modal label="Pasted text" close={cancel}>
      <textarea
        ref={box}
        className="pasted-text"
        aria-label="Pasted text"
        defaultValue={text}
        wrap="off"
        spellCheck={false}
        rows={16}
      />
      <div className="modal-actions">
        <button type="button" className="button" onClick={cancel}>
          Cancel
        </button>
        <button type="button" className="button primary" onClick={() => done(box.current?.value ?? text)}>
          Keep the changes
        </button>
      </div>
    </Modal>
  )
}
