import type { ReactNode } from 'react'
import type { ConversationSummary } from 'turnbuckle/client'
import { loadConversationList } from '../conversation/load-conversation-list.ts'
import { openConversation } from '../conversation/open-conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { formatAge } from '../ui/format-age.ts'
import { formatMoney } from '../ui/format-usage.ts'

export function ConversationList(): ReactNode {
  const list = useAppState(app => app.list)
  const openId = useAppState(app => app.openId)
  const status = useAppState(app => app.status)
  if (!list)
    return status === 'offline' ? (
      <p className="rail-note">
        The list could not be loaded.{' '}
        <button type="button" className="link" onClick={() => void loadConversationList()}>
          Try again
        </button>
      </p>
    ) : (
      <Skeleton />
    )
  if (!list.length) return <p className="rail-note">No conversations yet. Write something to begin one.</p>
  return (
    <ul className="conversations">
      {list.map(one => (
        <Item key={one.id} conversation={one} current={one.id === openId} />
      ))}
    </ul>
  )
}

function Item({
  conversation,
  current,
}: {
  readonly conversation: ConversationSummary
  readonly current: boolean
}): ReactNode {
  const { id, title, updatedAt, cost, running, waiting } = conversation
  const price = cost ? formatMoney(cost) : undefined
  return (
    <li>
      <button
        type="button"
        className="conversation"
        aria-current={current ? 'page' : undefined}
        onClick={() => void openConversation(id)}
      >
        <span className="conversation-title">{title || 'Untitled'}</span>
        <span className="conversation-meta">
          {waiting > 0 && (
            <span className="waiting">{waiting === 1 ? 'Waits for you' : `${waiting} wait for you`}</span>
          )}
          {running && waiting === 0 && <span className="running">Working</span>}
          {!running && waiting === 0 && formatAge(updatedAt)}
          {price && <span className="cost">{price}</span>}
        </span>
      </button>
    </li>
  )
}

function Skeleton(): ReactNode {
  return (
    <ul className="conversations" aria-busy="true" aria-label="Loading conversations">
      {[70, 50, 60].map(width => (
        <li key={width} className="skeleton" style={{ width: `${width}%` }} />
      ))}
    </ul>
  )
}
