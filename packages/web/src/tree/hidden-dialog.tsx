import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { WireHidden } from 'turnbuckle/client'
import { restoreMessage } from '../conversation/hide-message.ts'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { Modal } from '../ui/modal.tsx'

/** The messages of the open conversation that are hidden now. Each can be shown again, with all below it. */
export function HiddenDialog({ done }: { readonly done: () => void }): ReactNode {
  const openId = useAppState(app => app.openId) ?? ''
  const [hidden, setHidden] = useState<readonly WireHidden[]>()
  useEffect(() => {
    void callServer(client => client.hiddenMessages(openId)).then(setHidden)
  }, [openId])
  const last = useRef<HTMLButtonElement>(null)
  const restore = async (messageId: string) => {
    await restoreMessage(openId, messageId)
    // The pressed button leaves the list.
    last.current?.focus()
    setHidden(await callServer(client => client.hiddenMessages(openId)))
  }
  return (
    <Modal label="Hidden messages" close={done}>
      <h2 className="hidden-title">Hidden messages</h2>
      {hidden?.length === 0 && <p>Nothing is hidden in this conversation.</p>}
      <ul className="hidden-list">
        {hidden?.map(({ messageId, text, count }) => (
          <li key={messageId}>
            <span>
              <span className="hidden-text">{text || 'A message without words'}</span>
              {count > 1 && <span className="usage"> and {count - 1} below it</span>}
            </span>
            <button type="button" className="button small" onClick={() => void restore(messageId)}>
              Show again
            </button>
          </li>
        ))}
      </ul>
      <div className="modal-actions">
        <button ref={last} type="button" className="button" onClick={done}>
          Done
        </button>
      </div>
    </Modal>
  )
}
