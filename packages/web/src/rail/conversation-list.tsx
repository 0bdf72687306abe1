import type { ReactNode } from 'react'
import type { ConversationState, ConversationSummary } from 'turnbuckle/client'
import { accessTo } from '../conversation/facts/access-to.ts'
import { followLinkHere } from '../conversation/follow-link-here.ts'
import { loadConversationList } from '../conversation/loading/load-conversation-list.ts'
import { hasVoted } from '../requests/composer-answer.ts'
import { type AppState, useAppState } from '../state/app-state.ts'
import { addressOf } from '../state/conversation-in-address.ts'
import { formatAge } from '../ui/format-age.ts'
import { formatMoney } from '../ui/format-usage.ts'
import { ConversationMenu } from './conversation-menu.tsx'
import { groupByDay } from './group-by-day.ts'

export function ConversationList(): ReactNode {
  const list = useAppState(app => app.list)
  const openId = useAppState(app => app.openId)
  const status = useAppState(app => app.status)
  const isViewer = useAppState(app => app.me?.role === 'viewer')
  const isListMissing = useAppState(app => app.isListMissing)
  if (!list)
    return status === 'offline' || isListMissing ? (
      <p className="rail-note">
        The list could not be loaded.{' '}
        <button type="button" className="link" onClick={() => void loadConversationList()}>
          Try again
        </button>
      </p>
    ) : (
      <Skeleton />
    )
  if (!list.length)
    return <p className="rail-note">No conversations yet.{!isViewer && ' Write something to begin one.'}</p>
  return (
    <div className="conversations">
      {groupByDay(list).map(({ label, conversations }) => (
        <section key={label} aria-label={label}>
          <h2 className="rail-day">{label}</h2>
          <ul>
            {conversations.map(one => (
              <Item key={one.id} conversation={one} current={one.id === openId} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Item({
  conversation,
  current,
}: {
  readonly conversation: ConversationSummary
  readonly current: boolean
}): ReactNode {
  const { id, title, updatedAt, cost, running, waiting, owner } = conversation
  const access = useAppState(app => accessTo(app, id))
  const isForOthers = useAppState(app => app.conversation?.id === id && waitsForOthers(app.conversation, app.me))
  const price = cost ? formatMoney(cost) : undefined
  return (
    <li className="conversation-item">
      <a
        className="conversation"
        href={addressOf(id)}
        aria-current={current ? 'page' : undefined}
        onClick={event => followLinkHere(event, id)}
      >
        <span className="conversation-title">{title || 'Untitled'}</span>
        <span className="conversation-meta">
          {waiting > 0 && (
            <span className="waiting">
              {access === 'read' || isForOthers
                ? 'Waits for an answer'
                : waiting === 1
                  ? 'Waits for you'
                  : `${waiting} wait for you`}
            </span>
          )}
          {running && waiting === 0 && <span className="running">Working</span>}
          {!running && waiting === 0 && formatAge(updatedAt)}
          {owner !== undefined && <span className="owner">{owner}’s</span>}
          {price && <span className="cost">{price}</span>}
        </span>
      </a>
      <ConversationMenu id={id} title={title} label={menuLabel(access, title || 'Untitled')} />
    </li>
  )
}

/** Only of the open conversation does the page know whose answer its questions lack. */
const waitsForOthers = ({ requests }: ConversationState, me: AppState['me']): boolean =>
  requests.length > 0 && requests.every(request => hasVoted(request, me))

function menuLabel(access: ReturnType<typeof accessTo>, title: string): string {
  return access === 'own'
    ? `Rename or delete ${title}`
    : `${access === 'talk' ? 'Rename or export' : 'Export'} ${title}`
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
