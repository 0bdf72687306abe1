import type { ReactNode } from 'react'
import { removeQueuedMessage } from '../conversation/send-queued-messages.ts'
import { useAppState } from '../state/app-state.ts'
import { IconButton } from '../ui/icon-button.tsx'

/** The messages of the open conversation that are sent when its running turn has ended. */
export function QueuedMessages(): ReactNode {
  const all = useAppState(app => app.queuedMessages)
  const openId = useAppState(app => app.openId)
  const queued = all.filter(({ conversationId }) => conversationId === openId)
  if (!queued.length) return null
  return (
    <ul className="outbox" aria-label="Sent when the turn has ended">
      {queued.map(({ id, text, files }) => (
        <li key={id}>
          <span className="by">After this turn</span>
          <span>{[...files.map(({ name }) => name), text].filter(Boolean).join(' · ')}</span>
          <IconButton icon="close" size={14} label="Do not send it" onClick={() => removeQueuedMessage(id)} />
        </li>
      ))}
    </ul>
  )
}
